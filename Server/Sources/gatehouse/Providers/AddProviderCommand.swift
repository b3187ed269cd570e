import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct AddProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an OpenID Connect provider.",
    discussion: """
      Replaces a provider of the same name, so the command can be run again. Without a name, the \
      name is derived from --display-name: “Acme Corp” becomes oidc.acme-corp.
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
  @OptionGroup var database: ProviderDatabase

  func run() async throws {
    let (provider, isProposed) = try name()
    let (secret, key) = try openID.proof(orSecretIn: clientSecretFile)
    let project = try await database.change(provider, isReplaced: true) { [self] new, known in
      if isProposed, let other = known?.issuer, !other.hasSameBytes(as: issuer) {
        throw CommandFailure(
          "\(provider) exists already, for \(other): choose another name, as in `gatehouse "
            + "providers add \(provider)-2 …`")
      }
      new.issuer = issuer
      new.clientID = clientID
      new.clientSecret = secret
      new.isPublicClient = publicClient
      new.displayName = displayName
      new.isEnabled = true
      try openID.apply(key, to: &new)
      options.apply(to: &new)
    }
    if isProposed { Terminal.say("Named \(provider), after “\(displayName ?? "")”.") }
    Terminal.say(
      "\(provider) is configured for \(project.id). Try it: gatehouse providers test \(provider)")
    project.sayReturnURL(of: provider)
    try await warnOfOtherIssuers(provider, in: project.id)
  }

  /// Warns the operator of identities that were linked under another issuer: sign-ins with them are
  /// rejected.
  private func warnOfOtherIssuers(_ provider: ProviderID, in project: ProjectID) async throws {
    let limit = 1000
    let count = try await database.data.withDatabase { [self] open in
      try await open.store.read {
        try $0.countIdentities(of: provider, notFrom: issuer, limit: limit, in: project)
      }
    }
    guard count > 0 else { return }
    Terminal.say(
      "\(count == limit ? "\(limit) or more" : "\(count)") linked identities belong to another "
        + "issuer and can't sign in. If \(issuer) has the same users: gatehouse providers "
        + "move-issuer \(provider) --from OLD-ISSUER")
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
