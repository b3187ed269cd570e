public import ArgumentParser
import Foundation
public import GatehouseProtocol
import GatehouseServer

struct ServiceAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service-accounts",
    abstract: "Machines that sign custom tokens or act as administrators.",
    discussion: """
      Roles: customTokens (its custom tokens sign users in) and admin (it administers its project \
      through Google's Admin SDKs). A running server applies every change at once.
      """,
    subcommands: [
      CreateServiceAccountCommand.self, ListServiceAccountsCommand.self,
      GrantRoleCommand.self, RevokeRoleCommand.self, ServiceAccountKeysCommand.self,
      DeleteServiceAccountCommand.self,
    ])
}

extension ServiceAccount.Role: ExpressibleByArgument {}

extension EmailAddress: @retroactive ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension ServiceAccount {
  var roleNames: String {
    let names = Role.allCases.filter { roles.contains($0) }.map(\.rawValue)
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

extension ServiceAccountError {
  /// The error with what to do about it on the command line.
  var remedy: CommandFailure {
    switch self {
    case .unknown:
      CommandFailure(
        "there is no such service account; `gatehouse service-accounts list` lists them")
    case .exists:
      CommandFailure(
        "the service account exists already; give it another key with `gatehouse "
          + "service-accounts keys create`")
    case .otherProject: CommandFailure("the service account belongs to another project")
    case .administrator: CommandFailure("the service account is an administrator")
    case .tooManyKeys:
      CommandFailure(
        "the service account has \(ServiceAccount.maximumKeys) keys, the maximum; delete one with "
          + "`gatehouse service-accounts keys delete`")
    case .tooManyAccounts:
      CommandFailure(
        "the project has \(ServiceAccount.maximumPerProject) service accounts, the maximum; delete "
          + "one with `gatehouse service-accounts delete`")
    }
  }
}

/// Runs `body`, and adds to the domain's errors what to do about them.
func withRemedies<Result>(_ body: () async throws -> Result) async throws -> Result {
  do {
    return try await body()
  } catch let error as ServiceAccountError {
    throw error.remedy
  }
}

struct GrantRoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant", abstract: "Give a service account a role.")

  @OptionGroup var named: RoleArguments

  func run() async throws { try await named.change { $0.insert($1) } }
}

struct RevokeRoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a role and its rights from a service account.")

  @OptionGroup var named: RoleArguments

  func run() async throws { try await named.change { $0.remove($1) } }
}

struct RoleArguments: ParsableArguments {
  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress

  @Argument(help: "customTokens or admin.")
  var role: ServiceAccount.Role

  @OptionGroup var data: DataOptions

  func change(
    _ change: @escaping @Sendable (inout Set<ServiceAccount.Role>, ServiceAccount.Role) -> Void
  ) async throws {
    let role = role
    try await data.withDatabase { database in
      let account = try await withRemedies {
        try await ServiceAccounts(store: database.store).update(email) {
          change(&$0.roles, role)
        }
      }
      Terminal.say("\(account.email)  \(account.roleNames)")
    }
  }
}

struct ListServiceAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's service accounts, with their roles.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      var table = TextTable("EMAIL", "ROLES", "KEYS", "CREATED")
      for account in try await ServiceAccounts(store: database.store).list(in: project) {
        table.add(
          account.email.text, account.roleNames, String(account.keys.count),
          account.createdAt.formatted(.iso8601))
      }
      table.say()
    }
  }
}
