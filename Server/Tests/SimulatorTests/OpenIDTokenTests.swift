import Foundation
import HTTPTypes
import Testing

@Suite struct OpenIDTokenTests {
  @Test(arguments: OpenIDProvider.all)
  func `a code gives tokens that say who signed in`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client, ["login_hint": "bob"]).redirectParameters()
      let reply = try await provider.exchange(code["code"], client)
      #expect(reply.status == 200)
      #expect(reply.json.string("token_type") == "Bearer")
      #expect(reply.json.integer("expires_in") == 3600)
      #expect(reply.json.string("scope") == "openid email profile")
      let token = try IDToken(reply.json.string("id_token"))
      #expect(try token.isSigned(by: await client.get(provider.keys)))
      let claims = token.claims
      #expect(claims.string("iss") == provider.issuer(client.baseURL))
      #expect(claims.string("aud") == "client-1")
      #expect(claims.string("nonce") == "n1")
      #expect(claims.string("email") == "bob@example.com")
      #expect(claims.bool("email_verified") == true)
      #expect(claims.string("name") == "Bob Baker")
      #expect(claims.string("given_name") == "Bob")
      #expect(claims.string("family_name") == "Baker")
      #expect(claims.integer("iat") == 1_750_000_000)
      #expect(claims.integer("exp") == 1_750_003_600)
      let accessToken = reply.json.string("access_token")
      #expect(try claims.string("at_hash") == IDToken.halfHash(accessToken))
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `claims follow the scopes`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client, ["scope": "openid"]).redirectParameters()
      let reply = try await provider.exchange(code["code"], client)
      let names = try IDToken(reply.json.string("id_token")).claims.names
      #expect(names.isDisjoint(with: ["email", "email_verified", "name", "given_name"]))
    }
  }

  @Test(
    arguments: OpenIDProvider.all,
    [
      (["code_verifier": "wrong-wrong-wrong-wrong-wrong-wrong-wrong-w"], "invalid_grant"),
      (["code_verifier": ""], "invalid_grant"), (["client_id": "client-2"], "invalid_grant"),
      (["code": "unknown"], "invalid_grant"), (["code": ""], "invalid_request"),
      (["grant_type": "password"], "unsupported_grant_type"),
      (["grant_type": ""], "invalid_request"),
      (["client_id": ""], "invalid_request"),
    ])
  func `an exchange with one fault is refused`(
    provider: OpenIDProvider, wrong: (change: [String: String], error: String)
  ) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client).redirectParameters()
      let reply = try await provider.exchange(code["code"], client, wrong.change)
      #expect(reply.status == 400)
      #expect(reply.error == wrong.error)
      #expect(try await provider.exchange(code["code"], client).status == 200)
    }
  }

  @Test(arguments: [(OpenIDProvider.google, "redirect_uri_mismatch"), (.oidc, "invalid_grant")])
  func `another redirect URI is refused`(provider: OpenIDProvider, error: String) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client).redirectParameters()
      let reply = try await provider.exchange(
        code["code"], client, ["redirect_uri": "https://app.example.com/other"])
      #expect(reply.status == 400)
      #expect(reply.error == error)
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a verifier without a challenge is refused`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(
        client, ["code_challenge": "", "code_challenge_method": ""]
      ).redirectParameters()
      let reply = try await provider.exchange(code["code"], client)
      #expect(reply.error == "invalid_grant")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a code works once`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client).redirectParameters()
      #expect(try await provider.exchange(code["code"], client).status == 200)
      let second = try await provider.exchange(code["code"], client)
      #expect(second.status == 400)
      #expect(second.error == "invalid_grant")
    }
  }

  @Test(arguments: OpenIDProvider.all, [(299.0, 200), (300.0, 400)])
  func `a code is valid for five minutes`(
    provider: OpenIDProvider, life: (age: Double, status: Int)
  ) async throws {
    try await withSimulator { client in
      let code = try await provider.authorize(client).redirectParameters()
      client.clock.advance(seconds: life.age)
      #expect(try await provider.exchange(code["code"], client).status == life.status)
    }
  }

  @Test func `Google's code is refused by the other provider`() async throws {
    try await withSimulator { client in
      let code = try await OpenIDProvider.google.authorize(client).redirectParameters()
      let reply = try await OpenIDProvider.oidc.exchange(code["code"], client)
      #expect(reply.error == "invalid_grant")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a registered secret is required, in the body or the header`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"\(provider.name)","client_id":"client-1","client_secret":"s:cret %"}
          """)
      func exchange(_ changes: [String: String], basic: String? = nil) async throws -> Reply {
        let code = try await provider.authorize(client).redirectParameters()
        var headers: HTTPFields = [:]
        headers[.authorization] = basic.map { "Basic \(Data($0.utf8).base64EncodedString())" }
        return try await provider.exchange(code["code"], client, changes, headers: headers)
      }
      #expect(try await exchange(["client_secret": "s:cret %"]).status == 200)
      let inHeader = ["client_secret": "", "client_id": ""]
      #expect(try await exchange(inHeader, basic: "client-1:s%3Acret+%25").status == 200)

      let wrong = try await exchange(["client_secret": "secret"])
      #expect(wrong.status == 401)
      #expect(wrong.error == "invalid_client")
      let wrongInHeader = try await exchange(inHeader, basic: "client-1:secret")
      #expect(wrongInHeader.status == 401)
      #expect(wrongInHeader.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
      let absent = try await exchange(["client_secret": ""])
      #expect(absent.error == "invalid_request")
      let twice = try await exchange(["client_secret": "s:cret %"], basic: "client-1:s%3Acret+%25")
      #expect(twice.error == "invalid_request")
    }
  }

  @Test(arguments: [
    (OpenIDProvider.google, "access_type", "offline"), (.oidc, "scope", "openid offline_access"),
  ])
  func `a refresh token is issued on request`(
    provider: OpenIDProvider, name: String, value: String
  ) async throws {
    try await withSimulator { client in
      let plain = try await provider.authorize(client, ["person": "bob"]).redirectParameters()
      let without = try await provider.exchange(plain["code"], client)
      #expect(without.json.string("refresh_token") == nil)
      let asked = try await provider.authorize(client, [name: value]).redirectParameters()
      let refreshToken = try await provider.exchange(asked["code"], client).json
        .string("refresh_token")
      let reply = try await provider.refresh(refreshToken, client)
      #expect(reply.status == 200)
      #expect(try IDToken(reply.json.string("id_token")).claims.string("nonce") == nil)
      let other = try await provider.refresh(refreshToken, client, ["client_id": "client-2"])
      #expect(other.error == "invalid_grant")
    }
  }

  @Test func `Google issues a refresh token once, unless consent is prompted`() async throws {
    try await withSimulator { client in
      func refreshToken(_ changes: [String: String]) async throws -> String? {
        let changes = changes.merging(["access_type": "offline"]) { _, new in new }
        let code = try await OpenIDProvider.google.authorize(client, changes).redirectParameters()
        return try await OpenIDProvider.google.exchange(code["code"], client).json
          .string("refresh_token")
      }
      let (first, second) = (try await refreshToken([:]), try await refreshToken([:]))
      #expect(first != nil)
      #expect(second == nil)
      let prompted = try await refreshToken(["prompt": "consent"])
      #expect(prompted != nil)
    }
  }
}
