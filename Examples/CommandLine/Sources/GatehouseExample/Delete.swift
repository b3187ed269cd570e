import ArgumentParser
import GatehouseClient

struct Delete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete the account: re-authenticate, revoke, delete.",
    discussion: "If it fails, run it again: it skips the steps that are done.")

  @OptionGroup var app: AppOptions

  @Flag(help: "Don't ask for confirmation.")
  var yes = false

  func run() async throws {
    let manager = try app.manager()
    try await Failure.explaining {
      try manager.client.load()
      guard let user = manager.client.currentUser else { throw Failure.notSignedIn }
      guard yes || Terminal.confirm("Delete the account \(user.uid)? This can't be undone.") else {
        throw Failure.cancelled
      }
      let email = user.snapshot.email
      let outcome = try await manager.deleteAccount(
        reauthenticatingWith: .asking { _ in
          guard let email, let password = try? Terminal.password() else { return nil }
          return .password(email: email, password: password)
        })
      switch outcome {
      case .deleted(let receipt):
        // The server may revoke some minutes later: it tries until the provider responds.
        for provider in (receipt.revoked + receipt.revokedByServer).map(\.rawValue).sorted() {
          Terminal.say("revoked     \(provider)")
        }
        for provider in receipt.notRevoked {
          Terminal.say("not revoked \(provider): remove the app in your account at the provider")
        }
        Terminal.say("Deleted.")
      case .cancelled: throw Failure.cancelled
      }
    }
  }
}
