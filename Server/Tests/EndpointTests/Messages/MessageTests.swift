import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct MessageTests {
  private func object(_ response: some WireResponse) throws -> JSONObject {
    try JSONObject(parsing: response.json())
  }

  @Test func `a list without failures is omitted`() throws {
    #expect(try object(BatchDeleteResponse(errors: [])).isEmpty)
  }

  @Test func `a disabled provider shows neither enabled nor an empty list`() throws {
    var provider = ProviderResource(name: "projects/p/oauthIdpConfigs/oidc.a", kind: .openIDConnect)
    provider.enabled = false
    provider.additionalClientIDs = []
    provider.responseTypeIDToken = true
    let shown = try object(provider)
    #expect(shown["enabled"] == nil)
    #expect(shown["additionalClientIds"] == nil)
    #expect(shown["responseType"]?["idToken"] == true)
    #expect(shown["responseType"]?["code"] == nil)
  }
}
