import ArgumentParser
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

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let (id, _) = try await project.provider(id)
      var progress = Progress()
      var (moved, issuer) = (0, "")
      var token: String?
      repeat {
        let answer = try await project.send(
          .post, ProjectClient.collection(of: id), id.text, verb: "moveIssuer",
          body: JSONObject(ifPresent: ["from": from, "pageToken": token]))
        moved += answer["moved"]?.int64.map { Int($0) } ?? 0
        issuer = answer.shown("issuer")
        token = answer["nextPageToken"]?.string
        progress.show(moved) { "Moved \(moved), \($0)/s" }
      } while token != nil
      progress.clear()
      guard moved > 0 else {
        throw CommandFailure(
          "\(id) has no identities of the issuer “\(from)”; issuers are compared byte for byte, with "
            + "or without a slash at the end")
      }
      project.say(["moved": .number(JSONNumber(Int64(moved))), "issuer": .string(issuer)]) {
        Terminal.say("Moved \(moved) \(moved == 1 ? "identity" : "identities") to \(issuer).")
      }
    }
  }
}
