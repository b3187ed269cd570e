import Foundation
import Testing

/// Sign-in with Facebook with the real binary, against a Graph API that was written from Meta's
/// documentation, independently of our code.
@Suite struct FacebookTests {
  private static let appID = "1234567890"
  private static let appSecret = "demo-facebook-secret"

  /// Runs `body` with a development server that uses the stand-in for Facebook.
  private func withFacebook(
    _ body: (GatehouseServer, _ graph: String) async throws -> Void
  ) async throws {
    try await Python.serve("facebook_graph.py", [Self.appID, Self.appSecret]) { graph in
      let url = try #require(graph["url"].string)
      let options = GatehouseServer.Options(
        arguments: ["--set", "providers.baseURL=\(url)", "--set", "log.level=trace"])
      try await GatehouseServer.with(options) { server in try await body(server, url) }
    }
  }

  private func accessToken(_ graph: String, _ fields: JSON) async throws -> String {
    try #require(
      try await HTTP.post("\(graph)/test/access-token", fields).json["token"].string)
  }

  private func signIn(_ server: GatehouseServer, _ accessToken: String) async throws -> Reply {
    try await server.app.signInWithIdp(
      postBody: "access_token=\(accessToken)&providerId=facebook.com")
  }

  @Test func `an access token signs in, again and again, until it is revoked`() async throws {
    try await withFacebook { server, graph in
      let email = Unique.email()
      let token = try await accessToken(
        graph, ["id": "1001", "name": "Ada Lovelace", "email": .string(email)])
      let first = try await signIn(server, token)
      #expect(first.verdict == "200")
      #expect(first.json["isNewUser"] == true)
      #expect(first.json["federatedId"] == "http://facebook.com/1001")
      #expect(first.json["displayName"] == "Ada Lovelace")
      #expect(first.json["emailVerified"] == false)
      #expect(first.json["oauthAccessToken"].string == token)
      let raw = JSON(reading: Data((first.json["rawUserInfo"].string ?? "").utf8))
      #expect(raw["granted_scopes"] == ["email", "public_profile"])

      let again = try await signIn(server, token)
      #expect(again.json["localId"] == first.json["localId"])

      let revoked = try await HTTP.post(
        "\(server.baseURL)/identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=any-key",
        [
          "providerId": "facebook.com", "tokenType": 2, "token": .string(token),
          "idToken": again.json["idToken"],
        ])
      #expect(revoked.verdict == "200")
      #expect(
        try await signIn(server, token).message
          == #"INVALID_IDP_RESPONSE : Bad access token: {"code":190,"message":"Malformed access token"}"#
      )
      #expect(
        try await HTTP.get("\(graph)/test/requests").json["requests"] == [
          "GET /graph/debug_token", "GET /graph/me", "GET /graph/debug_token", "GET /graph/me",
          "DELETE /graph/me/permissions", "GET /graph/debug_token",
        ])
      // The log contains neither a token nor the app secret, even at the level trace.
      let log = server.process.errors + server.process.output
      #expect(!log.contains(token))
      #expect(!log.contains(Self.appSecret))
    }
  }

  @Test func `another app's access token is refused`() async throws {
    try await withFacebook { server, graph in
      let token = try await accessToken(
        graph, ["id": "1002", "name": "Eve", "app": "999999999"])
      #expect(
        try await signIn(server, token).message
          == "INVALID_IDP_RESPONSE : Bad access token: it was issued to another app.")
    }
  }

  @Test func `Limited Login is the same account, with a nonce used once`() async throws {
    try await withFacebook { server, graph in
      let access = try await accessToken(graph, ["id": "1003", "name": "Ada Lovelace"])
      let first = try await signIn(server, access)
      let nonce = Unique.nonce()
      let token = try #require(
        try await HTTP.post(
          "\(graph)/test/id-token",
          ["sub": "1003", "nonce": .string(Nonce.hash(nonce)), "name": "Ada Lovelace"]
        ).json["token"].string)
      let credential = Credential(provider: "facebook.com", idToken: token, nonce: nonce)
      let limited = try await server.app.signIn(credential)
      #expect(limited.verdict == "200")
      #expect(limited.json["localId"] == first.json["localId"])
      let replayed = try await server.app.signIn(credential)
      #expect(replayed.message?.contains("Duplicate credential received") == true)

      let other = try #require(
        try await HTTP.post(
          "\(graph)/test/id-token", ["sub": "1003", "iss": "https://facebook.example.com"]
        ).json["token"].string)
      let refused = try await server.app.signIn(
        Credential(provider: "facebook.com", idToken: other))
      #expect(
        refused.message
          == "INVALID_IDP_RESPONSE : The issuer in ID Token https://facebook.example.com does not "
          + "match the expected one in config: https://www.facebook.com.")
    }
  }
}
