import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct SetOpenIDConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oidc", abstract: "Change an added OpenID Connect provider.",
    discussion: """
      The word oidc may be left out: `gatehouse providers set oidc.example …`. To change the issuer, \
      replace the whole configuration with `gatehouse providers add`, or use the console. Identities \
      of the former issuer then can't sign in until `gatehouse providers move-issuer` has moved them. \
      A key replaces a client secret, and a secret replaces a key. Test the configuration \
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
  @OptionGroup var change: ProviderChange

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
    try await change.run(provider) { members, known in
      guard let known else { throw CommandFailure.noProviderYet(provider) }
      members.set("clientId", clientID)
      members.set("displayName", displayName)
      members.set("enabled", options.signIn)
      members.set("clientSecret", secret?.reveal())
      if secret != nil { members.clear("clientKey") }
      try openID.apply(key, to: &members, known: known)
      if secret != nil || key != nil { members.clear("publicClient") }
      options.apply(to: &members)
    } report: { saved, _ in
      guard key != nil else { return }
      Terminal.say(
        "Give the provider the output of `gatehouse providers jwks \(provider)`"
          + (saved["keySetUrl"]?.string.map { ", or its URL: \($0.printable)." } ?? "."))
    }
  }
}
