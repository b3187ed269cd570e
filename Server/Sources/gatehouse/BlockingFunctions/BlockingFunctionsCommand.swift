import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct BlockingFunctionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blocking-functions",
    abstract: "Let a program of yours decide about new accounts and sign-ins.",
    discussion: """
      A running server calls the function before it creates an account (beforeCreate) or begins a \
      session (beforeSignIn). It waits at most \(BlockingFunction.deadlineSeconds) seconds, unless the \
      setting blockingFunctions.seconds has another value. The function allows the request, changes \
      the account, or refuses with a message.
      """,
    subcommands: [
      SetBlockingFunctionCommand.self, ShowBlockingFunctionsCommand.self,
      ForwardCredentialsCommand.self, TestBlockingFunctionCommand.self,
      RemoveBlockingFunctionCommand.self,
    ])
}

/// Flags of every command about one function.
struct BlockingFunctionArgument: ParsableArguments {
  @Argument(help: "beforeCreate or beforeSignIn.")
  var trigger: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if BlockingFunction.Trigger(rawValue: trigger) == nil {
      throw ValidationError("“\(trigger)” is not beforeCreate or beforeSignIn")
    }
  }

  func parsed() throws -> BlockingFunction.Trigger {
    guard let trigger = BlockingFunction.Trigger(rawValue: trigger) else {
      throw CommandFailure("“\(trigger)” is not beforeCreate or beforeSignIn")
    }
    return trigger
  }
}

struct SetBlockingFunctionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the function of a trigger, or change it.",
    discussion: """
      The secret of a new function is shown once. With --new-secret, requests are signed with a new \
      secret and with the previous one, so that the receiver can change over.
      """)

  @OptionGroup var function: BlockingFunctionArgument

  @Option(help: "The https URL of the function; http is allowed for this machine only.")
  var url: String?

  @Option(
    help: """
      What happens if the function can't be reached, takes too long, or gives an invalid answer. \
      refuse (the default): users are refused; allow: they sign in as if there were no function.
      """)
  var onFailure: String?

  @Flag(help: "Create a new secret, and show it once.")
  var newSecret = false

  func validate() throws {
    if url == nil && onFailure == nil && !newSecret {
      throw ValidationError("nothing to set: give --url, --on-failure or --new-secret")
    }
    if let onFailure, BlockingFunction.FailurePolicy(rawValue: onFailure) == nil {
      throw ValidationError("--on-failure is refuse or allow")
    }
  }

  func run() async throws {
    let trigger = try function.parsed()
    let address = try url.map { try HookOptions.address($0) }
    let policy = onFailure.flatMap { BlockingFunction.FailurePolicy(rawValue: $0) }
    try await function.data.withDatabase { [newSecret] database in
      let id = try await function.project.resolve(in: database)
      let secret = try await database.store.write { transaction -> WebhookSecret? in
        guard var project = try transaction.project(id) else { return nil }
        guard let url = address ?? project.blockingFunctions[trigger]?.url else {
          throw CommandFailure("\(id) has no \(trigger.rawValue) function yet: give --url")
        }
        let secret = project.blockingFunctions.set(
          trigger, url: url, onFailure: policy, rotatesSecret: newSecret, now: Date())
        try transaction.save(project)
        return secret
      }
      Terminal.say("The \(trigger.rawValue) function of \(id) is set.")
      secret?.sayOnce(verifiedBy: "your function")
      Terminal.say("Try it: gatehouse blocking-functions test \(trigger.rawValue) --project \(id)")
    }
  }
}

struct ShowBlockingFunctionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a project's functions, without their secrets.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let functions = try await database.project(try await project.resolve(in: database))
        .blockingFunctions
      guard !functions.isEmpty else { return Terminal.say("The project has no blocking function.") }
      var table = TextTable("TRIGGER", "URL", "ON FAILURE", "CHANGED")
      for trigger in BlockingFunction.Trigger.allCases {
        guard let function = functions[trigger] else { continue }
        table.add(
          trigger.rawValue, function.url, function.onFailure.rawValue,
          function.updatedAt.formatted(.iso8601))
      }
      table.say()
      let forwarded = [
        (ForwardedCredentials.idToken, "ID token"), (.accessToken, "access token"),
        (.refreshToken, "refresh token"),
      ].filter { functions.forwarded.contains($0.0) }.map(\.1)
      Terminal.say(
        "Providers' tokens that they get: "
          + (forwarded.isEmpty ? "none" : forwarded.joined(separator: ", ")))
    }
  }
}

struct ForwardCredentialsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forward", abstract: "Choose which of a provider's tokens the functions get.",
    discussion: """
      Anyone who has these tokens can act for the user at the provider. Options that aren't given stay \
      unchanged.
      """)

  @Flag(inversion: .prefixedEnableDisable, help: "The provider's ID token.")
  var idToken: Bool?

  @Flag(inversion: .prefixedEnableDisable, help: "The provider's access token.")
  var accessToken: Bool?

  @Flag(inversion: .prefixedEnableDisable, help: "The provider's refresh token.")
  var refreshToken: Bool?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if idToken == nil && accessToken == nil && refreshToken == nil {
      throw ValidationError("nothing to set: give --enable-id-token or another token")
    }
  }

  func run() async throws {
    let choices: [(ForwardedCredentials, Bool?)] = [
      (.idToken, idToken), (.accessToken, accessToken), (.refreshToken, refreshToken),
    ]
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      try await database.store.write { transaction in
        guard var project = try transaction.project(id) else { return }
        for (token, choice) in choices {
          switch choice {
          case true?: project.blockingFunctions.forwarded.insert(token)
          case false?: project.blockingFunctions.forwarded.remove(token)
          case nil: break
          }
        }
        try transaction.save(project)
      }
      Terminal.say("The forwarded tokens of \(id) are changed.")
    }
  }
}

struct RemoveBlockingFunctionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a function: requests continue without it.")

  @OptionGroup var function: BlockingFunctionArgument

  func run() async throws {
    let trigger = try function.parsed()
    try await function.data.withDatabase { database in
      let id = try await function.project.resolve(in: database)
      try await database.store.write { transaction in
        guard var project = try transaction.project(id) else { return }
        guard project.blockingFunctions[trigger] != nil else {
          throw CommandFailure("\(id) has no \(trigger.rawValue) function")
        }
        project.blockingFunctions[trigger] = nil
        try transaction.save(project)
      }
      Terminal.say("The \(trigger.rawValue) function of \(id) is removed.")
    }
  }
}
