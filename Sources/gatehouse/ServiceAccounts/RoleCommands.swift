import ArgumentParser
import GatehouseServer
import GatehouseModel

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
