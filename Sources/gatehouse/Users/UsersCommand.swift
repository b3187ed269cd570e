import ArgumentParser
import GatehouseServer
import GatehouseModel

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
      UserSessionsCommand.self, SetClaimsCommand.self,
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
