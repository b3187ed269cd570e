public import ArgumentParser
import GatehouseServer
public import GatehouseModel

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

extension EmailAddress: ExpressibleByArgument {
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
