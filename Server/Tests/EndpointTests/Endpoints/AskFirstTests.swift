import GatehouseProtocol
import Testing

@Suite struct AskFirstTests {
  private static let email: JSONValue = "ada@example.com"

  @Test func `with ifNew ask, a new identity gets a pending token and nothing else`() async throws {
    try await TestServer.with { server in
      let claims: KeyValuePairs<String, JSONValue> = ["sub": "s", "email": Self.email]
      let asked = try await server.call(
        FakeProviders.signIn(
          "oidc.plain", try FakeProviders.token("oidc.plain", claims), fields: ["ifNew": "ask"]))
      #expect(asked.status == 200)
      #expect(asked["isNewUser"] == true)
      #expect(asked["email"] == Self.email)
      for absent in ["localId", "idToken", "refreshToken", "expiresIn", "needConfirmation"] {
        #expect(asked[absent] == nil, "\(absent)")
      }
      let pending = try #require(asked["pendingToken"])
      let created = try await server.call(
        .accounts(
          "signInWithIdp", ["requestUri": "http://localhost", "pendingToken": pending]))
      #expect(created["isNewUser"] == true)
      #expect(created["idToken"]?.string?.isEmpty == false)
    }
  }

  @Test(arguments: ["Ask", "no", "refuse"])
  func `an unknown value of ifNew is refused`(_ ifNew: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        FakeProviders.signIn(
          "oidc.plain", try FakeProviders.token("oidc.plain", ["sub": "s"]),
          fields: ["ifNew": .string(ifNew)]))
      #expect(reply.error == "INVALID_IF_NEW : It is \"create\" or \"ask\".")
    }
  }
}
