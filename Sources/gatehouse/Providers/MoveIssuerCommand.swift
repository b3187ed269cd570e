import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct MoveIssuerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-issuer",
    abstract: "Say that a provider's new issuer has the same users as the old one.",
    discussion: """
      A user is an issuer and a subject. When a provider gets another issuer, whoever has a subject at \
      the new one is not allowed into the account that was linked under the old one, until you say here \
      that both mean the same users. Say it only if the provider says so: otherwise one user gets \
      another's account. First give the provider its new issuer with `gatehouse providers add`.
      """)

  @Argument(help: "Such as oidc.example.")
  var id: String

  @Option(help: "The issuer under which the identities were linked.")
  var from: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let (moved, issuer) = try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let provider = try await database.provider(id, of: project)
      guard let issuer = provider.issuer else {
        throw CommandFailure("\(id) has one issuer of its own, which can't be changed")
      }
      guard !issuer.hasSameBytes(as: from) else {
        throw CommandFailure(
          "--from is the issuer that \(id) has now; name the one that it had before")
      }
      let moved = try await database.store.moveIdentities(
        of: provider.id, from: from, to: issuer, in: project)
      return (moved, issuer)
    }
    guard moved > 0 else {
      throw CommandFailure(
        "\(id) has no identities of the issuer “\(from)”; it is compared byte for byte, with its "
          + "slash at the end or without")
    }
    Terminal.say("Moved \(moved) \(moved == 1 ? "identity" : "identities") to \(issuer).")
  }
}
