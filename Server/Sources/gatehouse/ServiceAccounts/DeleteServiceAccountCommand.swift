import ArgumentParser
import GatehouseServer
import GatehouseProtocol

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
      try await Self.sayWhatIsLeft(by: email.text, in: database)
    }
  }

  /// A key that an administrator added signs users in also when the administrator is gone.
  static func sayWhatIsLeft(by administrator: String, in database: OpenDatabase) async throws {
    try await EventLinker(store: database.store).run()
    let left = try await ServiceAccounts(store: database.store).keys(addedBy: administrator)
    if !left.isEmpty {
      Terminal.say("It had added keys, which still sign custom tokens:")
      for (account, key) in left { Terminal.say("  \(account)  \(key)") }
      Terminal.say(
        "To delete them: gatehouse service-accounts keys delete --added-by \(administrator)")
    }
    Terminal.note(
      "What it changed: gatehouse audit list --by \(administrator), and the same with --server.")
  }
}
