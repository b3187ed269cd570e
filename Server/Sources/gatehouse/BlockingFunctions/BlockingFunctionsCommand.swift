import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

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

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if BlockingFunction.Trigger(rawValue: trigger) == nil {
      throw ValidationError("“\(trigger)” is not beforeCreate or beforeSignIn")
    }
  }

  /// Changes members of the function.
  func patch(
    _ project: ProjectClient, _ members: JSONObject
  ) async throws -> JSONObject {
    let mask = members.members.map { "blockingFunctions.triggers.\(trigger).\($0.name)" }
    return try await project.send(
      .patch, "config", query: ["updateMask": mask.joined(separator: ",")],
      body: ["blockingFunctions": ["triggers": .object([trigger: .object(members)])]])
  }

  /// - Parameter verb: `test` or `rotateSecret`.
  func send(_ project: ProjectClient, verb: String) async throws -> JSONObject {
    try await project.send(.post, "blockingFunctions", trigger, verb: verb, body: [:])
  }
}

extension ProjectClient {
  /// `blockingFunctions` of the project's settings.
  fileprivate func blockingFunctions() async throws -> JSONObject {
    try await send(.get, "config")["blockingFunctions"]?.object ?? [:]
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

  @Option(
    help: "The https URL of the function; without --server, http is allowed for this machine.")
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
    let trigger = function.trigger
    try await function.project.run { project in
      let known = try await project.blockingFunctions()["triggers"]?[trigger]?.object
      guard url != nil || known != nil else {
        throw CommandFailure("\(project.project) has no \(trigger) function yet: give --url")
      }
      var answer = JSONObject()
      let members = JSONObject(ifPresent: ["functionUri": url, "onFailure": onFailure])
      if !members.members.isEmpty {
        answer = try await function.patch(project, members)
      }
      var secret = answer["blockingFunctions"]?["triggers"]?[trigger]?.object ?? [:]
      // A new function has a new secret already.
      if newSecret, secret["secret"] == nil {
        answer = try await function.send(project, verb: "rotateSecret")
        secret = answer
      }
      project.say(answer) {
        Terminal.say("The \(trigger) function of \(project.project) is set.")
        secret.saySecret(verifiedBy: "your function")
        Terminal.say(
          "Try it: gatehouse blocking-functions test \(trigger) --project \(project.project)")
      }
    }
  }
}

struct ShowBlockingFunctionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a project's functions, without their secrets.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let config = try await project.blockingFunctions()
      project.say(config) {
        let functions = config["triggers"]?.object?.members ?? []
        guard !functions.isEmpty else {
          return Terminal.say("The project has no blocking function.")
        }
        var table = TextTable("TRIGGER", "URL", "ON FAILURE", "CHANGED")
        for function in functions {
          guard let resource = function.value.object else { continue }
          table.add(
            function.name, resource.shown("functionUri"), resource.shown("onFailure"),
            resource.shown("updateTime"))
        }
        table.say()
        let names = [
          "idToken": "ID token", "accessToken": "access token", "refreshToken": "refresh token",
        ]
        let forwarded = (config["forwardInboundCredentials"]?.object?.members ?? [])
          .compactMap { names[$0.name] }
        Terminal.say(
          "Providers' tokens that they get: "
            + (forwarded.isEmpty ? "none" : forwarded.joined(separator: ", ")))
      }
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

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if idToken == nil && accessToken == nil && refreshToken == nil {
      throw ValidationError("nothing to set: give --enable-id-token or another token")
    }
  }

  func run() async throws {
    var choices = JSONObject()
    choices["idToken"] = idToken.map { .bool($0) }
    choices["accessToken"] = accessToken.map { .bool($0) }
    choices["refreshToken"] = refreshToken.map { .bool($0) }
    let mask = choices.members.map { "blockingFunctions.forwardInboundCredentials.\($0.name)" }
    try await project.run { [choices] project in
      let answer = try await project.send(
        .patch, "config", query: ["updateMask": mask.joined(separator: ",")],
        body: ["blockingFunctions": ["forwardInboundCredentials": .object(choices)]])
      project.say(answer) {
        Terminal.say("The forwarded tokens of \(project.project) are changed.")
      }
    }
  }
}

struct TestBlockingFunctionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Ask a function about a user who doesn't exist, and show its answer.",
    discussion: """
      The question has the uid gatehouse-test and the address gatehouse-test@example.com, and is \
      signed like every other question. Nothing is created.
      """)

  @OptionGroup var function: BlockingFunctionArgument

  func run() async throws {
    try await function.project.run { project in
      try project.client.sayFindings(try await function.send(project, verb: "test"))
    }
  }
}

struct RemoveBlockingFunctionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a function: requests continue without it.")

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var function: BlockingFunctionArgument

  func run() async throws {
    let trigger = function.trigger
    try await function.project.run { project in
      guard try await project.blockingFunctions()["triggers"]?[trigger] != nil else {
        throw CommandFailure("\(project.project) has no \(trigger) function")
      }
      try confirmation.confirm("Remove the \(trigger) function of \(project.project)?")
      let answer = try await function.patch(project, ["functionUri": ""])
      project.say(answer) {
        Terminal.say("The \(trigger) function of \(project.project) is removed.")
      }
    }
  }
}
