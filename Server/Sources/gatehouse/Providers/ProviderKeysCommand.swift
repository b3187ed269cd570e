import ArgumentParser
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct ProviderKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwks",
    abstract: "Print the public key with which a provider authenticates the server.",
    discussion: """
      Prints a JSON Web Key Set for the provider. With --private-key-file it contains the public \
      key of that file: give it to the provider before `gatehouse providers set` puts the key in \
      use.
      """)

  @Argument(help: "The provider, such as oidc.example.")
  var id: String

  @Option(help: "A file with a private key that isn't in use yet.")
  var privateKeyFile: String?

  @Option(help: "The key id at the provider. Default: the key's thumbprint.")
  var keyID: String?

  @Option(help: "ES256, RS256, PS256, …. Default: the usual algorithm for the key.")
  var algorithm: String?

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    if let file = try ProviderOptions.secret(in: privateKeyFile, "--private-key-file") {
      let key = ClientKey(privateKey: file, keyID: keyID, algorithm: algorithm)
      do throws(PrivateKeyError) {
        return Terminal.say(
          String(decoding: try PrivateKeySigner(key).publicKeySet(), as: UTF8.self))
      } catch {
        let fault: ProviderConfigurationFault =
          error == .algorithm ? .clientKeyAlgorithm : .clientKeyForm
        throw CommandFailure(fault.text)
      }
    }
    try await project.run { project in
      let (id, provider) = try await project.provider(id)
      guard let keys = provider["clientKey"]?["keySet"]?.object else {
        throw CommandFailure(
          "\(id) has no key; give it one with `gatehouse providers set \(id) --private-key-file FILE`"
        )
      }
      Terminal.say(String(decoding: keys.serialized(), as: UTF8.self))
    }
  }
}
