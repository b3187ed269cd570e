import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct UsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Find, show and change accounts.",
    discussion: """
      Name an account by its id, its email or its phone number. A server may use the database at \
      the same time, and applies a change at once.
      """,
    subcommands: [
      ListUsersCommand.self, SearchUsersCommand.self, ShowUserCommand.self, CreateUserCommand.self,
      SetEmailCommand.self, SetPasswordCommand.self, ResetLinkCommand.self, SetClaimsCommand.self,
      UnlinkUserCommand.self, DisableUserCommand.self, EnableUserCommand.self,
      UserSessionsCommand.self, UserFactorsCommand.self, RevokeUserCommand.self,
      RevokeAllCommand.self, UserDataCommand.self, KeepUserCommand.self, DeleteUserCommand.self,
    ])
}

/// Flags of every command about one account.
struct UserArgument: ParsableArguments {
  @Argument(help: "The account's id, email, or phone number with its +.")
  var user: String

  @OptionGroup var project: ProjectOptions

  /// Finds the account, and passes it to `body`.
  func withUser(_ body: (UserClient) async throws -> Void) async throws {
    try await project.run { project in
      let answer = try await project.accounts("lookup", lookup)
      let users = answer.objects("users")
      // An id may look like an email address: the one with the id comes first.
      let found =
        users.first { $0["localId"]?.string?.utf8.elementsEqual(user.utf8) == true }
        ?? users.first
      guard let found else {
        throw CommandFailure(
          "\(project.project) has no account “\(user)”; `gatehouse users list` lists them")
      }
      try await body(UserClient(project: project, user: found))
    }
  }

  private var lookup: JSONObject {
    var body: JSONObject = ["localId": [.string(user)]]
    if let email = EmailAddress(user) { body["email"] = [.string(email.text)] }
    if user.hasPrefix("+") { body["phoneNumber"] = [.string(user)] }
    return body
  }
}

/// An account, and what an administrator does with it.
struct UserClient {
  let project: ProjectClient
  /// As `accounts:lookup` returns it.
  let user: JSONObject

  var uid: String { user["localId"]?.string ?? "" }
  var shownUID: String { uid.printable }

  /// Changes the account.
  func update(_ changes: JSONObject) async throws -> JSONObject {
    var body = changes
    body["localId"] = .string(uid)
    return try await project.accounts("update", body)
  }

  /// Changes the account, and says so.
  func update(_ changes: JSONObject, saying line: String) async throws {
    let answer = try await update(changes)
    project.say(answer) { Terminal.say("\(shownUID): \(line)") }
  }
}

extension ProjectClient {
  /// Google's methods for accounts have a path of version 1.
  @discardableResult
  func accounts(
    _ verb: String, _ body: JSONObject? = nil, method: AdministrationClient.Method = .post,
    query: KeyValuePairs<String, String?> = [:]
  ) async throws -> JSONObject {
    try await client.send(
      method, ["v1", "projects", project, "accounts"], verb: verb.isEmpty ? nil : verb,
      query: query, body)
  }
}

struct ListUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's accounts in the order of their ids.")

  @Option(help: "The maximum number of accounts to list, from 1 to 1000.")
  var limit = 50

  @Option(help: "Continue after this id.")
  var after: String?

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if !(1...1000).contains(limit) { throw ValidationError("--limit \(limit): from 1 to 1000") }
    if let after, UID(after) == nil {
      throw ValidationError("--after \(after): not an account's id")
    }
  }

  func run() async throws {
    try await project.run { project in
      let page = try await project.accounts(
        "batchGet", method: .get,
        query: ["maxResults": String(limit), "nextPageToken": after])
      let users = page.objects("users")
      let count = try await project.accounts("query", ["returnUserInfo": false])
      project.say(page) {
        var table = TextTable("ID", "EMAIL", "STATE", "SIGN-IN", "LAST SIGN-IN")
        for user in users { table.add(user) }
        table.say()
        Terminal.note(
          "\(users.count) of \(count["recordsCount"]?.string ?? "?") accounts.")
        if let last = users.last, users.count == limit {
          Terminal.note("More: --after \(last.shown("localId"))")
        }
      }
    }
  }
}

extension TextTable {
  /// A line for an account.
  mutating func add(_ user: JSONObject) {
    add(
      user.shown("localId"), user.shown("email"),
      user["disabled"]?.bool == true ? "disabled" : "enabled",
      user.signInMethods.joined(separator: ","), user.time("lastLoginAt") ?? "never")
  }
}

extension JSONObject {
  /// The methods with which the user can sign in.
  fileprivate var signInMethods: [String] {
    var methods = objects("providerUserInfo").map { $0.shown("providerId") }
    if !objects("passkeyInfo").isEmpty { methods.append(ProviderID.passkey.text) }
    return methods.isEmpty ? ["-"] : methods
  }

  /// A time in milliseconds since 1970, as RFC 3339.
  func time(_ name: String) -> String? {
    guard let text = self[name]?.string, let milliseconds = Double(text), milliseconds > 0 else {
      return nil
    }
    return Date(timeIntervalSince1970: milliseconds / 1000).formatted(.iso8601)
  }
}

struct ShowUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an account: profile, identities, claims and times.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { found in
      found.project.say(found.user) {
        for (name, value) in Self.lines(found.user) {
          guard let value else { continue }
          Terminal.say(
            name.padding(toLength: 16, withPad: " ", startingAt: 0) + value.printable)
        }
      }
    }
  }

  private static func lines(_ user: JSONObject) -> [(String, String?)] {
    let email = user["email"]?.string.map {
      "\($0) (\(user["emailVerified"]?.bool == true ? "" : "not ")verified)"
    }
    var lines: [(String, String?)] = [
      ("id", user["localId"]?.string), ("email", email),
      ("phone number", user["phoneNumber"]?.string), ("name", user["displayName"]?.string),
      ("photo", user["photoUrl"]?.string),
      ("state", user["disabled"]?.bool == true ? "disabled" : "enabled"),
      ("erased on", user.time("deletionScheduledFor")),
    ]
    for identity in user.objects("providerUserInfo") {
      lines.append((identity.shown("providerId"), identity["rawId"]?.string ?? "-"))
    }
    let passkeys = user.objects("passkeyInfo").count
    let factors = user.objects("mfaInfo").count
    let since = user["validSince"]?.string.flatMap { Double($0) }.map {
      Date(timeIntervalSince1970: $0).formatted(.iso8601)
    }
    return lines + [
      ("passkeys", passkeys > 0 ? "\(passkeys)" : nil),
      ("second factors", factors > 0 ? "\(factors)" : nil),
      ("claims", user["customAttributes"]?.string), ("created", user.time("createdAt")),
      ("last sign-in", user.time("lastLoginAt")), ("tokens since", since),
    ]
  }
}

struct UserDataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "data",
    abstract: "Print what is stored about a user, as JSON without secrets.",
    discussion: """
      The document has the account, its identities, live sessions and consents, and the latest 1000 \
      events. It says which tokens of providers are stored, and which work is queued at providers. \
      It leaves out the password's hash, all tokens, ended sessions, unused codes, emails that wait, \
      deliveries to hooks, and earlier events. The user gets the same document from the app with \
      accounts:export, but without administrators' names and addresses.
      """)

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withUser { found in
      let document = try await found.project.accounts(
        "export", method: .get, query: ["localId": found.uid])
      Terminal.say(String(decoding: document.serialized(), as: UTF8.self))
    }
  }
}
