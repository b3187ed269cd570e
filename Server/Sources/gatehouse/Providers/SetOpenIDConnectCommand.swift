import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct SetOpenIDConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oidc", abstract: "Change an added OpenID Connect provider.",
    discussion: """
      The word oidc may be left out: `gatehouse providers set oidc.example …`. The issuer can't be \
      changed here, because it identifies users together with `sub`. `gatehouse providers add` with \
      the same name gives the provider another issuer: first read `gatehouse providers move-issuer \
      --help`. A key replaces a client secret, and a secret replaces a key. Test the configuration \
      with `gatehouse providers test oidc.example`.
      """)

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Option(help: "The client id that the provider issued.")
  var clientID: String?

  @Option(help: "A file with the client secret, for the code flow.")
  var clientSecretFile: String?

  @Option(help: "Display name.")
  var displayName: String?

  @OptionGroup var openID: OpenIDConnectOptions
  @OptionGroup var options: ProviderOptions
  @OptionGroup var database: ProviderDatabase

  func validate() throws {
    guard ProviderID(id)?.isValidOpenIDConnectName == true else {
      throw ValidationError(
        "“\(id)”: name one of "
          + IdentityProviders.builtIn.map(\.name).joined(separator: ", ")
          + ", or a provider such as oidc.example")
    }
  }

  func run() async throws {
    guard let provider = ProviderID(id) else { throw ExitCode.validationFailure }
    let (secret, key) = try openID.proof(orSecretIn: clientSecretFile)
    let project = try await database.change(provider) { [self] new, known in
      guard known != nil else { throw CommandFailure.noProviderYet(provider) }
      new.clientID = clientID ?? new.clientID
      new.displayName = displayName ?? new.displayName
      if let secret {
        new.clientSecret = secret
        new.clientKey = nil
      }
      try openID.apply(key, to: &new)
      if secret != nil || key != nil {
        new.isPublicClient = false
      }
      options.apply(to: &new)
    }
    Terminal.say("\(provider) is configured for \(project.id).")
    if key != nil {
      Terminal.say(
        "Give the provider the output of `gatehouse providers jwks \(provider)`"
          + "\(project.keySetHint(of: provider))."
      )
    }
    project.sayReturnURL(of: provider)
  }
}

extension Project {
  /// `, or its URL: …`, if the public URL is known.
  fileprivate func keySetHint(of provider: ProviderID) -> String {
    keySetURL(of: provider).map { ", or its URL: \($0)" } ?? ""
  }
}
