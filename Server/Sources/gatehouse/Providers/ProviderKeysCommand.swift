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

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let file = try ProviderOptions.secret(in: privateKeyFile, "--private-key-file")
    let key =
      if let file {
        ClientKey(privateKey: file, keyID: keyID, algorithm: algorithm)
      } else {
        try await storedKey()
      }
    do throws(PrivateKeyError) {
      Terminal.say(String(decoding: try PrivateKeySigner(key).publicKeySet(), as: UTF8.self))
    } catch {
      let fault: ProviderConfigurationFault =
        error == .algorithm ? .clientKeyAlgorithm : .clientKeyForm
      throw CommandFailure(fault.remedy)
    }
  }

  private func storedKey() async throws -> ClientKey {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let provider = try await database.provider(id, of: project)
      guard let key = provider.clientKey else {
        throw CommandFailure(
          "\(id) has no key; give it one with `gatehouse providers set \(id) --private-key-file FILE`"
        )
      }
      return key
    }
  }
}
