import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer
import GatehouseTokens

struct UsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Show and change accounts.",
    discussion: """
      Name an account by its id, its email or its phone number. A server may use the database at \
      the same time, and applies a change at once.
      """,
    subcommands: [
      ListUsersCommand.self, ShowUserCommand.self, CreateUserCommand.self,
      DisableUserCommand.self, EnableUserCommand.self, DeleteUserCommand.self,
      KeepUserCommand.self, UserDataCommand.self, RevokeUserCommand.self, RevokeAllCommand.self,
      UserSessionsCommand.self, UserFactorsCommand.self, SetClaimsCommand.self,
    ])
}

/// Flags of every command about one account.
struct UserArgument: ParsableArguments {
  @Argument(help: "The account's id, email, or phone number with its +.")
  var user: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  /// Opens the database, finds the account, and passes it to `body`.
  func withAccount(
    _ body: (AccountsService, Project, Account) async throws -> Void
  ) async throws {
    try await data.withDatabase { database in
      let project = try await database.project(try await project.resolve(in: database))
      let accounts = try await database.accounts()
      let found = try await accounts.accounts(matching: selectors, in: project).first
      guard let found else {
        throw CommandFailure(
          "\(project.id) has no account “\(user)”; `gatehouse users list` lists them")
      }
      try await body(accounts, project, found)
    }
  }

  /// The id is tried first, because an id may look like an email address.
  private var selectors: [AccountSelector] {
    [
      UID(user).map(AccountSelector.uid), EmailAddress(user).map(AccountSelector.email),
      user.hasPrefix("+") ? .phoneNumber(user) : nil,
    ].compactMap(\.self)
  }
}

struct ListUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's accounts in the order of their ids.")

  @Option(help: "The maximum of accounts to list, from 1 to 1000.")
  var limit = 50

  @Option(help: "Continue after this id.")
  var after: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if !(1...1000).contains(limit) { throw ValidationError("--limit \(limit): from 1 to 1000") }
    if let after, UID(after) == nil {
      throw ValidationError("--after \(after): not an account's id")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await database.project(try await project.resolve(in: database))
      let accounts = try await database.accounts()
      let page = try await accounts.accounts(
        after: after.flatMap { UID($0) }, pageSize: limit, in: project)
      var table = TextTable("ID", "EMAIL", "STATE", "SIGN-IN", "LAST SIGN-IN")
      for account in page.accounts {
        table.add(
          account.uid.text, account.email?.text ?? "-", account.isDisabled ? "disabled" : "enabled",
          account.signInMethods.joined(separator: ","),
          account.lastLoginAt?.formatted(.iso8601) ?? "never")
      }
      table.say()
      let count = try await accounts.countAccounts(in: project)
      Terminal.note("\(page.accounts.count) of \(count) accounts.")
      if let next = page.next { Terminal.note("More: --after \(next)") }
    }
  }
}

extension Account {
  /// The methods with which the user can sign in.
  var signInMethods: [String] {
    let methods =
      (password == nil ? [] : [ProviderID.password.text])
      + (phoneNumber == nil ? [] : [ProviderID.phone.text]) + identities.map(\.provider.text)
    return methods.isEmpty ? ["-"] : methods
  }
}

struct ShowUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an account: profile, identities, claims and times.")

  @OptionGroup var user: UserArgument

  func run() async throws {
    try await user.withAccount { _, _, account in
      for (name, value) in Self.lines(account) {
        guard let value else { continue }
        Terminal.say(name.padding(toLength: 16, withPad: " ", startingAt: 0) + value.printable)
      }
    }
  }

  private static func lines(_ account: Account) -> [(String, String?)] {
    let email = account.email.map { "\($0) (\(account.isEmailVerified ? "" : "not ")verified)" }
    var lines: [(String, String?)] = [
      ("id", account.uid.text), ("email", email), ("phone number", account.phoneNumber),
      ("name", account.displayName), ("photo", account.photoURL),
      ("state", account.isDisabled ? "disabled" : "enabled"),
      ("erased on", account.deletionScheduledFor?.formatted(.iso8601)),
      ("password", account.passwordUpdatedAt.map { "set \($0.formatted(.iso8601))" }),
    ]
    for identity in account.identities {
      lines.append((identity.provider.text, identity.subject.text))
    }
    let factors = account.secondFactors?.factors.count ?? 0
    return lines + [
      ("passkeys", account.passkeys.all > 0 ? "\(account.passkeys.all)" : nil),
      ("second factors", factors > 0 ? "\(factors)" : nil),
      ("claims", account.customClaims?.jsonText),
      ("created", account.createdAt.formatted(.iso8601)),
      ("last sign-in", account.lastLoginAt?.formatted(.iso8601)),
      ("tokens since", account.validSince.formatted(.iso8601)),
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
    try await user.withAccount { accounts, project, account in
      let export = try await accounts.exportAccount(account.uid, in: project, now: Date())
      Terminal.say(String(decoding: export.json, as: UTF8.self))
    }
  }
}
