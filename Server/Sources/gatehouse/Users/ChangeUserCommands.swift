import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct CreateUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create an account.")

  @Option(help: "The account's id. Default: a random one.")
  var uid: String?

  @Option(help: "The account's email.")
  var email: String?

  @Flag(help: "Mark the email as verified.")
  var emailVerified = false

  @Option(help: "A file with the password; - for standard input.")
  var passwordFile: String?

  @Option(help: "Display name.")
  var displayName: String?

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if let uid, UID(uid) == nil {
      throw ValidationError("--uid: 1 to \(UID.maximumBytes) bytes without control characters")
    }
    if let email, EmailAddress(email) == nil {
      throw ValidationError("--email \(email): not an email address")
    }
    if passwordFile != nil && email == nil {
      throw ValidationError("a password needs --email to sign in with")
    }
  }

  func run() async throws {
    let password = try passwordFile.map { try PasswordFile.password(in: $0) }
    var body = JSONObject(ifPresent: [
      "localId": uid, "email": email, "displayName": displayName, "password": password?.reveal(),
    ])
    if emailVerified && email != nil { body["emailVerified"] = true }
    try await project.run { project in
      let account = try await project.accounts("", body)
      project.say(account) { Terminal.say(account.shown("localId")) }
    }
  }
}

/// A password that isn't in the command line, where other users could read it.
enum PasswordFile {
  static func password(in path: String) throws -> Secret<String> {
    if path == "-" { return Secret(readLine() ?? "") }
    return try ProviderOptions.secret(in: path, "--password-file") ?? Secret("")
  }
}

struct SetEmailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-email", abstract: "Change the email of an account. Its sessions end.")

  @OptionGroup var user: UserArgument

  @Option(help: "The new email.")
  var email: String

  @Flag(help: "Mark it as verified.")
  var verified = false

  func run() async throws {
    try await user.withUser { found in
      try await found.update(
        ["email": .string(email), "emailVerified": .bool(verified)],
        saying: "the email is \(email) (\(verified ? "" : "not ")verified)")
    }
  }
}

struct SetPasswordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-password", abstract: "Set the password of an account. Its sessions end.",
    discussion: "Better give the user a link: `gatehouse users reset-link`.")

  @OptionGroup var user: UserArgument

  @Option(help: "A file with the password; - for standard input.")
  var passwordFile: String

  func run() async throws {
    let password = try PasswordFile.password(in: passwordFile)
    try await user.withUser { found in
      try await found.update(
        ["password": .string(password.reveal())], saying: "the password is set")
    }
  }
}

struct ResetLinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-link",
    abstract: "Print a link with which the user sets a new password. No email is sent.",
    discussion:
      "Whoever has the link can sign in: give it to nobody but the user. It is valid for an hour.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { found in
      guard let email = found.user["email"]?.string else {
        throw CommandFailure("\(found.shownUID) has no email, to which a password belongs")
      }
      let answer = try await found.project.accounts(
        "sendOobCode",
        [
          "requestType": "PASSWORD_RESET", "email": .string(email), "returnOobLink": true,
        ])
      found.project.say(answer) { Terminal.say(answer.shown("oobLink")) }
    }
  }
}

struct UnlinkUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Remove a provider's identity, or the phone number, from an account.")

  @OptionGroup var user: UserArgument

  @Argument(help: "The provider, such as apple.com, or phone.")
  var provider: String

  func run() async throws {
    let id = ProviderName.id(provider)
    try await user.withUser { found in
      let known = found.user.objects("providerUserInfo").map { $0.shown("providerId") }
      guard known.contains(id) else {
        throw CommandFailure(
          "\(found.shownUID) has no identity of \(id); it has "
            + (known.isEmpty ? "none" : known.joined(separator: ", ")))
      }
      try await found.update(
        ["deleteProvider": [.string(id)]], saying: "\(id) is removed")
    }
  }
}

struct DisableUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Disable an account: its user can't sign in, refresh or make calls.",
    discussion: "Nothing is deleted. `gatehouse users enable` enables the account again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { try await $0.update(["disableUser": true], saying: "disabled") }
  }
}

struct EnableUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Enable an account that was disabled.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { try await $0.update(["disableUser": false], saying: "enabled") }
  }
}

struct RevokeUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End an account's sessions. Its user can sign in again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    let now = String(Int(Date().timeIntervalSince1970))
    try await user.withUser {
      try await $0.update(["validSince": .string(now)], saying: "every session is ended")
    }
  }
}

struct RevokeAllCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke-all",
    abstract: "End the sessions of all accounts. Every user has to sign in again.",
    discussion: """
      For an incident, such as a stolen master key. Sessions that begin after the command's start \
      continue. If the command is interrupted, run it again.
      """)

  @Option(help: "Only this project's accounts.")
  var project: String?

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    let start = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    try await administration.withClient { client in
      let listed = try await client.send(.get, ["v2", "projects"]).objects("projects")
      let projects = project.map { [$0] } ?? listed.map { $0.shown("projectId") }
      try confirmation.confirm(
        "End the sessions of all accounts of \(projects.joined(separator: ", "))?")
      for id in projects {
        try await revoke(try await ProjectClient(id, client), startedBefore: start)
      }
    }
  }

  private func revoke(_ project: ProjectClient, startedBefore start: String) async throws {
    var progress = Progress()
    var count = 0
    var token: String?
    repeat {
      let answer = try await project.accounts(
        "revokeAll", JSONObject(ifPresent: ["startedBefore": start, "pageToken": token]))
      count += answer["revoked"]?.number?.int64.map(Int.init) ?? 0
      token = answer["nextPageToken"]?.string
      progress.show(count) { "Revoked \(count), \($0)/s" }
    } while token != nil
    progress.clear()
    project.say(["project": .string(project.project), "revoked": .number(JSONNumber(Int64(count)))])
    {
      Terminal.say("\(project.project): the sessions of \(count) accounts are ended.")
    }
  }
}

struct SetClaimsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-claims", abstract: "Set the custom claims of an account's ID tokens.",
    discussion: "ID tokens contain the new claims from the next sign-in or refresh on.")

  @OptionGroup var user: UserArgument

  @Option(help: "A JSON object such as {\"role\":\"editor\"}; {} removes them.")
  var claims: String

  func validate() throws {
    if (try? JSONObject(parsing: Array(claims.utf8))) == nil {
      throw ValidationError("--claims: not a JSON object; in a shell, put it in single quotes")
    }
  }

  func run() async throws {
    try await user.withUser {
      try await $0.update(["customAttributes": .string(claims)], saying: "the claims are \(claims)")
    }
  }
}

struct KeepUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keep", abstract: "Withdraw the deletion of an account in its grace period.",
    discussion: "The user has to sign in again.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { found in
      let answer = try await found.project.accounts("keep", ["localId": .string(found.uid)])
      found.project.say(answer) { Terminal.say("\(found.shownUID) is kept.") }
    }
  }
}

struct DeleteUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an account permanently.")

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { found in
      let email = found.user["email"]?.string.map { " (\($0.printable))" } ?? ""
      try confirmation.confirm("Delete \(found.shownUID)\(email) permanently?")
      let answer = try await found.project.accounts("delete", ["localId": .string(found.uid)])
      found.project.say(answer) {
        Terminal.say("Deleted \(found.shownUID).")
        Terminal.say("Receipt: \(answer.shown("receipt"))")
      }
    }
  }
}
