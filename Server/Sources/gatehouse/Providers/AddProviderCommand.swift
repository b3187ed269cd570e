import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct AddProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an OpenID Connect provider.",
    discussion: """
      Replaces a provider of the same name, after a question. Without a name, the name is derived \
      from --display-name: “Acme Corp” becomes oidc.acme-corp.
      """)

  @Argument(help: "The provider's name: oidc. and then a–z, 0–9, . _ -")
  var id: String?

  @Option(
    help: "The issuer, as in its tokens: https://… without /.well-known/openid-configuration.")
  var issuer: String

  @Option(help: "The client id that the provider issued.")
  var clientID: String

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Flag(help: "Use the code flow without a secret, if the provider issues none and accepts PKCE.")
  var publicClient = false

  @Option(help: "Display name.")
  var displayName: String?

  @OptionGroup var openID: OpenIDConnectOptions
  @OptionGroup var options: ProviderOptions
  @OptionGroup var change: ProviderChange

  func run() async throws {
    let (provider, isProposed) = try name()
    let (secret, key) = try openID.proof(orSecretIn: clientSecretFile)
    try await change.run(provider, isReplaced: true) { members, known in
      if isProposed, let other = known?["issuer"]?.string, !other.hasSameBytes(as: issuer) {
        throw CommandFailure(
          "\(provider) exists already, for \(other.printable): choose another name, as in `gatehouse "
            + "providers add \(provider)-2 …`")
      }
      members.set("issuer", issuer)
      members.set("clientId", clientID)
      members.set("clientSecret", secret?.reveal())
      members.set("publicClient", publicClient)
      members.set("displayName", displayName)
      members.set("enabled", options.signIn ?? true)
      try openID.apply(key, to: &members, known: nil)
      options.apply(to: &members)
    } report: { saved, _ in
      if isProposed { Terminal.say("Named \(provider), after “\(displayName ?? "")”.") }
      Terminal.say("Try it: gatehouse providers test \(provider)")
      guard let others = saved["identitiesOfOtherIssuers"]?.int64 else { return }
      Terminal.say(
        "At least \(others) linked identities belong to another issuer and can't sign in. If \(issuer) has the same "
          + "users: gatehouse providers move-issuer \(provider) --from OLD-ISSUER")
    }
  }

  /// The given name, or the one that is proposed for the display name.
  private func name() throws -> (ProviderID, isProposed: Bool) {
    if let id {
      guard let provider = ProviderID(id), provider.isValidOpenIDConnectName else {
        throw ValidationError(
          "“\(id)”: write oidc. and then 1 to 32 of a–z, 0–9, . _ -, beginning with a letter")
      }
      return (provider, false)
    }
    guard let displayName else {
      throw ValidationError("name the provider, as in oidc.example, or give its --display-name")
    }
    guard let proposed = ProviderID.proposal(for: displayName) else {
      throw ValidationError(
        "no name can be derived from “\(displayName)”: give one, as in oidc.example")
    }
    return (proposed, true)
  }
}
