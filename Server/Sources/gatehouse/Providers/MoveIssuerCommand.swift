import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct MoveIssuerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-issuer",
    abstract: "Confirm that a provider's new issuer has the same users as the old one.",
    discussion: """
      An issuer and a subject together identify a user. When a provider gets a new issuer, a \
      subject at the new issuer doesn't open the account that was linked under the old one. This \
      command moves the linked identities to the new issuer. Use it only if the provider confirms \
      that a subject is the same user at both issuers: otherwise a user could sign in to the \
      account of another user. First give the provider its new issuer with `gatehouse providers \
      add`. For Microsoft, the provider must have one tenant, or consumers.
      """)

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Option(help: "The issuer under which the identities were linked.")
  var from: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let (moved, issuer) = try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let provider = try await database.provider(id, of: project)
      guard let issuer = provider.tokenIssuer else {
        throw CommandFailure(
          provider.id == .microsoft
            ? "the issuer of \(id) depends on the user's tenant: identities can be moved only to one "
              + "tenant. First choose it with `gatehouse providers set microsoft --tenant …`"
            : "\(id) has a fixed issuer, which can't be changed")
      }
      guard !issuer.hasSameBytes(as: from) else {
        throw CommandFailure(
          "--from is the issuer that \(id) has now; give its former issuer")
      }
      let moved = try await database.store.moveIdentities(
        of: provider.id, from: from, to: issuer, in: project)
      return (moved, issuer)
    }
    guard moved > 0 else {
      throw CommandFailure(
        "\(id) has no identities of the issuer “\(from)”; issuers are compared byte for byte, with "
          + "or without a slash at the end")
    }
    Terminal.say("Moved \(moved) \(moved == 1 ? "identity" : "identities") to \(issuer).")
  }
}
