import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RefreshTokenTests {
  private func isValid(
    _ provider: Provider, clientID: String? = "com.example.app"
  ) async throws -> Bool {
    try await provider.federation.isValid(
      Secret("r3fresh"), clientID: clientID,
      for: Provider.apple(privateKey: P256.Signing.PrivateKey().pemRepresentation),
      now: provider.now)
  }

  @Test func `a token that the provider accepts is valid`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, ["access_token": "a"])
    #expect(try await isValid(provider))
    #expect(provider.transport.fields("refresh_token", at: Provider.appleToken) == ["r3fresh"])
  }

  @Test func `a token with invalid_grant is not`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_grant"])
    #expect(try await !isValid(provider))
  }

  @Test func `every likely client is tried for a token of an unknown client`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken) { request throws(OutboundError) in
      let client = request.form?.first { $0.name == "client_id" }?.value.reveal()
      return client == "com.example.app"
        ? OutboundResponse(
          status: 400, body: (["error": "invalid_grant"] as JSONObject).serialized())
        : OutboundResponse(status: 200, body: (["access_token": "a"] as JSONObject).serialized())
    }
    #expect(try await isValid(provider, clientID: nil))
  }

  @Test func `another refusal says nothing about the token`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_client"])
    await #expect(
      throws: FederationError.refusedByProvider(status: 400, error: "invalid_client")
    ) { _ = try await isValid(provider) }
  }
}
