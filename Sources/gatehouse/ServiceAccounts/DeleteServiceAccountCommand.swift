import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct DeleteServiceAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a service account, its keys and its access tokens.",
    discussion: "Users who signed in with its custom tokens stay signed in.")

  @Argument(help: "The email, as `service-accounts list` shows it.") var email: EmailAddress

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      guard try await ServiceAccounts(store: database.store).delete(email) else {
        throw ServiceAccountError.unknown.remedy
      }
      Terminal.say("Deleted.")
    }
  }
}
