import Crypto
import GatehouseServer
import GatehouseProtocol
import Logging
import Testing

@Suite struct ProviderBaseURLTests {
  private let simulator = "http://127.0.0.1:4600"

  private func configuration(_ id: ProviderID) -> ProviderConfiguration {
    var configuration = ProviderConfiguration(new: id, clientID: "1234567890", development: true)
    configuration.isEnabled = true
    configuration.clientSecret = Secret("a-secret")
    if id == .apple {
      configuration.clientSecret = nil
      configuration.apple = .init(
        bundleIDs: [], teamID: "TEAM123456", keyID: "KEY1234567",
        privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    }
    return configuration
  }

  private func requests(
    _ id: ProviderID, _ providers: IdentityProviders
  ) async throws -> [String] {
    let provider = try Provider()
    let federation = Federation(
      providers: providers, outbound: provider.transport,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    _ = await federation.diagnose(configuration(id), now: provider.now)
    return provider.transport.requests.map(\.url.text)
  }

  @Test(arguments: IdentityProviders.builtIn.compactMap(\.id))
  func `a base URL changes every endpoint, but not the issuer`(id: ProviderID) async throws {
    let name = try #require(IdentityProviders.kind(of: id)?.name)
    var urls: ProviderBaseURLs = [:]
    urls.fill(fromSimulator: simulator)
    let moved = try await requests(id, try IdentityProviders(baseURLs: urls))
    #expect(!moved.isEmpty)
    for url in moved { #expect(url.hasPrefix("\(simulator)/\(name)/")) }
    for url in try await requests(id, IdentityProviders()) { #expect(url.hasPrefix("https://")) }
  }

  @Test func `the simulator replaces every vendor that has no other stand-in`() async throws {
    var urls: ProviderBaseURLs = ["facebook": "https://double.example.com/facebook/"]
    urls.fill(fromSimulator: simulator)
    let moved = try await requests(.facebook, try IdentityProviders(baseURLs: urls))
    #expect(
      moved == [
        "https://double.example.com/facebook/.well-known/oauth/openid/jwks/",
        "https://double.example.com/facebook/graph/debug_token",
      ])
  }

  @Test(arguments: IdentityProviders.builtIn.map(\.name))
  func `the error for a malformed URL names the setting`(name: String) {
    var urls: ProviderBaseURLs = [:]
    urls[name] = "nonsense"
    #expect(throws: MalformedBaseURL(setting: "providers.\(name).baseURL")) {
      try IdentityProviders(baseURLs: urls)
    }
  }
}
