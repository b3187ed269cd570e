import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct AddProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an OpenID Connect provider.",
    discussion: """
      Replaces one of the same name, so that it can be run again. Without a name one is made of \
      --display-name: “Acme Corp” becomes oidc.acme-corp.
      """)

  @Argument(help: "oidc. and a name of a–z, 0–9, . _ -")
  var id: String?

  @Option(help: "https://… without /.well-known/openid-configuration, exactly as in its tokens.")
  var issuer: String

  @Option(help: "The client id that the provider gave.")
  var clientID: String

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Flag(help: "The code flow without a secret: the provider issues none, and takes PKCE for it.")
  var publicClient = false

  @Option(help: "What persons call it.")
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
          "\(provider) exists already, for \(other): name this one yourself, as in `gatehouse "
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

  /// Identities that were linked under another issuer are refused: the operator has to know.
  private func warnOfOtherIssuers(_ provider: ProviderID, in project: ProjectID) async throws {
    let limit = 1000
    let count = try await database.data.withDatabase { [self] open in
      try await open.store.read {
        try $0.countIdentities(of: provider, notFrom: issuer, limit: limit, in: project)
      }
    }
    guard count > 0 else { return }
    Terminal.say(
      "\(count == limit ? "\(limit) or more" : "\(count)") linked identities are of another issuer, and "
        + "can't sign in. If \(issuer) has the same users: gatehouse providers move-issuer "
        + "\(provider) --from OLD-ISSUER")
  }

  /// The name given, or the one proposed for what persons call it.
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
        "no name can be made of “\(displayName)”: give one, as in oidc.example")
    }
    return (proposed, true)
  }
}
