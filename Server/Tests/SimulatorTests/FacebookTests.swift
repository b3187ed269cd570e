import Crypto
import Foundation
import HTTPTypes
import Testing

@Suite struct FacebookTests {
  private func signIn(_ client: SimulatorClient, _ members: String = "") async throws -> JSONText {
    let rest = members.isEmpty ? "" : ",\(members)"
    return try await client.post(
      "/facebook/native-sign-in", json: "{\"client_id\":\"1234567890\"\(rest)}"
    ).json
  }

  private func debug(
    _ token: String?, _ client: SimulatorClient, app: String = "1234567890|made-up-secret"
  ) async throws -> Reply {
    try await client.get(
      "/facebook/graph/debug_token", query: ["input_token": token ?? "", "access_token": app])
  }

  private func register(_ client: SimulatorClient) async throws {
    let reply = try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"facebook","client_id":"1234567890","client_secret":"made-up-secret"}
        """)
    try #require(reply.status == 200)
  }

  @Test func `an access token is inspected`() async throws {
    try await withSimulator { client in
      let signIn = try await signIn(client)
      let data = try await debug(signIn.string("accessToken"), client).json.object("data")
      #expect(data?.bool("is_valid") == true)
      #expect(data?.string("app_id") == "1234567890")
      #expect(data?.string("type") == "USER")
      #expect(data?.string("user_id") == signIn.string("userID"))
      #expect(data?.integer("expires_at") == 1_755_184_000)
      #expect(data?.strings("scopes") == ["email", "openid", "public_profile"])
    }
  }

  @Test func `an access token may be in the header`() async throws {
    try await withSimulator { client in
      let token = try await signIn(client).string("accessToken") ?? ""
      let data = try await client.get(
        "/facebook/graph/debug_token?input_token=\(token)",
        headers: [.authorization: "Bearer 1234567890|made-up-secret"]
      ).json.object("data")
      #expect(data?.bool("is_valid") == true)
      let me = try await client.get(
        "/facebook/graph/me", headers: [.authorization: "Bearer \(token)"])
      #expect(me.json.string("id") == data?.string("user_id"))
      let beside = try await client.get(
        "/facebook/graph/me?access_token=", headers: [.authorization: "Bearer \(token)"])
      #expect(beside.json.string("id") == data?.string("user_id"))
      let neither = try await client.get("/facebook/graph/me")
      #expect(neither.status == 400)
    }
  }

  @Test func `a token of another app is refused`() async throws {
    try await withSimulator { client in
      let token = try await signIn(client).string("accessToken")
      let reply = try await debug(token, client, app: "999|secret")
      #expect(reply.status == 400)
      #expect(reply.json.object("error")?.integer("code") == 100)
    }
  }

  @Test func `a made-up token is not valid`() async throws {
    try await withSimulator { client in
      let data = try await debug("EAAmadeup", client).json.object("data")
      #expect(data?.bool("is_valid") == false)
      #expect(data?.object("error")?.integer("code") == 190)
    }
  }

  @Test func `an expired token is not valid`() async throws {
    try await withSimulator { client in
      let token = try await signIn(client, "\"faults\":{\"expiredTokens\":true}")
        .string("accessToken")
      let data = try await debug(token, client).json.object("data")
      #expect(data?.bool("is_valid") == false)
      #expect(data?.object("error")?.integer("subcode") == 463)
      let me = try await client.get(
        "/facebook/graph/me", query: ["access_token": token ?? ""])
      #expect(me.json.object("error")?.integer("error_subcode") == 463)
      #expect(me.json.object("error")?.integer("code") == 190)
    }
  }

  @Test func `the app's secret is checked once it is registered`() async throws {
    try await withSimulator { client in
      try await register(client)
      let token = try await signIn(client).string("accessToken")
      #expect(try await debug(token, client).status == 200)
      let wrong = try await debug(token, client, app: "1234567890|another")
      #expect(wrong.json.object("error")?.integer("code") == 190)
    }
  }

  @Test func `a proof must be of the token under the app's secret`() async throws {
    try await withSimulator { client in
      try await register(client)
      let token = try await signIn(client).string("accessToken") ?? ""
      let proof = HMAC<SHA256>.authenticationCode(
        for: Data(token.utf8), using: SymmetricKey(data: Data("made-up-secret".utf8)))
      let text = proof.map { String(format: "%02x", $0) }.joined()
      let good = try await client.get(
        "/facebook/graph/v24.0/me",
        query: ["access_token": token, "appsecret_proof": text, "fields": "id,name,email,picture"])
      #expect(good.json.string("name") == "Alice Appleseed")
      #expect(good.json.string("email") == "alice@example.com")
      #expect(good.json.object("picture")?.object("data")?.bool("is_silhouette") == true)
      let bad = try await client.get(
        "/facebook/graph/me",
        query: ["access_token": token, "appsecret_proof": String(text.reversed())])
      #expect(bad.json.object("error")?.integer("code") == 100)
    }
  }

  @Test func `an address that was not allowed is left out`() async throws {
    try await withSimulator { client in
      let token = try await signIn(client, "\"permissions\":[\"public_profile\"]")
        .string("accessToken")
      let me = try await client.get(
        "/facebook/graph/me", query: ["access_token": token ?? "", "fields": "id,email"])
      #expect(me.json.names == ["id"])
    }
  }

  @Test func `an app that gives up its permissions has no valid token left`() async throws {
    try await withSimulator { client in
      let token = try await signIn(client).string("accessToken") ?? ""
      let reply = try await client.send(
        .delete, "/facebook/graph/me/permissions?\(Form.encode(["access_token": token]))")
      #expect(reply.json.bool("success") == true)
      #expect(try await debug(token, client).json.object("data")?.bool("is_valid") == false)
    }
  }

  @Test func `an id differs for each app`() async throws {
    try await withSimulator { client in
      let one = try await signIn(client).string("userID")
      let other = try await client.post(
        "/facebook/native-sign-in", json: "{\"client_id\":\"2222222222\"}"
      ).json.string("userID")
      #expect(one != other)
      #expect(one?.utf8.count == 17)
    }
  }

  @Test func `Limited Login gives a token of its own issuer and no access token`() async throws {
    try await withSimulator { client in
      let signIn = try await signIn(client, "\"tracking\":\"limited\",\"nonce\":\"n1\"")
      #expect(signIn.isNull("accessToken"))
      let token = try IDToken(signIn.string("authenticationToken"))
      #expect(
        try token.isSigned(by: try await client.get("/facebook/.well-known/oauth/openid/jwks/")))
      #expect(token.claims.string("iss") == "https://limited.facebook.com")
      #expect(token.claims.string("aud") == "1234567890")
      #expect(token.claims.string("sub") == signIn.string("userID"))
      #expect(token.claims.string("nonce") == "n1")
      #expect(token.claims.string("email") == "alice@example.com")
      #expect(!token.claims.names.contains("email_verified"))
    }
  }

  @Test func `Facebook's SDK creates a nonce if the app gives none, and returns it`() async throws {
    try await withSimulator { client in
      let signIn = try await signIn(client, "\"tracking\":\"limited\"")
      let nonce = try #require(signIn.string("nonce"))
      #expect(nonce.utf8.count == 36)
      #expect(
        try IDToken(signIn.string("authenticationToken")).claims.string("nonce") == nonce)
    }
  }

  @Test func `the dialog's code is exchanged once`() async throws {
    try await withSimulator { client in
      try await register(client)
      let redirect = try await client.get(
        "/facebook/v24.0/dialog/oauth",
        query: [
          "client_id": "1234567890", "redirect_uri": "https://app.example.com/callback",
          "scope": "email,public_profile", "state": "s 1", "person": "bob",
        ])
      let answer = try redirect.redirectParameters()
      #expect(answer["state"] == "s 1")
      func exchange() async throws -> Reply {
        try await client.get(
          "/facebook/graph/oauth/access_token",
          query: [
            "client_id": "1234567890", "client_secret": "made-up-secret",
            "redirect_uri": "https://app.example.com/callback", "code": answer["code"] ?? "",
          ])
      }
      let first = try await exchange().json
      #expect(first.string("token_type") == "bearer")
      let me = try await client.get(
        "/facebook/graph/me", query: ["access_token": first.string("access_token") ?? ""])
      #expect(me.json.string("name") == "Bob Baker")
      #expect(try await exchange().json.object("error")?.integer("code") == 100)
    }
  }

  @Test func `a refusal in the dialog is reported to the app`() async throws {
    try await withSimulator { client in
      let redirect = try await client.get(
        "/facebook/dialog/oauth",
        query: [
          "client_id": "1234567890", "redirect_uri": "https://app.example.com/callback",
          "state": "s", "decision": "cancel",
        ])
      let answer = try redirect.redirectParameters()
      #expect(answer["error"] == "access_denied")
      #expect(answer["error_reason"] == "user_denied")
      #expect(answer["code"] == nil)
    }
  }
}
