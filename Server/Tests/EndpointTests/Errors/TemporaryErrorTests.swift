import GatehouseProtocol
import Testing

/// What a page with Google's SDK for JavaScript gets while the server can't answer. When the page loads, the
/// SDK refreshes the ID token and asks for the account. It keeps the user only if it takes the error for a
/// failure of the network: if there is no `error.message`.
@Suite struct TemporaryErrorTests {
  @Test func `a page keeps its user while the database is closed`() async throws {
    try await TestServer.with { server in
      let guest = try await server.call(.accounts("signUp", ["returnSecureToken": true]))
      let idToken = try #require(guest["idToken"])
      let refreshToken = try #require(guest["refreshToken"])
      await server.store.close()
      let requests: [TestRequest] = [
        .accounts("lookup", ["idToken": idToken]),
        TestRequest(
          "/v1/token", ["grant_type": "refresh_token", "refresh_token": refreshToken]),
      ]
      for request in requests {
        let reply = try await server.call(request)
        #expect(reply.status == 503, "\(request.path)")
        #expect(reply.json["error"] != nil)
        #expect(reply.error == nil)
        #expect(
          reply.json["error"]?["errors"]?.array?.first?["message"]?.string
            == "The service is currently unavailable.")
      }
      // Google's Admin SDKs show the message to the developer.
      let administrators = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": ["ann"]]))
      #expect(administrators.status == 503)
      #expect(administrators.error == "The service is currently unavailable.")
    }
  }
}
