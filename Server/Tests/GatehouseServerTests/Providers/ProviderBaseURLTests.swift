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
    let moved = try await requests(id, try IdentityProviders(baseURL: simulator))
    #expect(!moved.isEmpty)
    for url in moved { #expect(url.hasPrefix("\(simulator)/\(name)/")) }
    for url in try await requests(id, IdentityProviders()) { #expect(url.hasPrefix("https://")) }
  }

  @Test func `the error for a malformed URL names it`() {
    #expect(throws: MalformedBaseURL(url: "nonsense")) {
      try IdentityProviders(baseURL: "nonsense")
    }
  }
}
