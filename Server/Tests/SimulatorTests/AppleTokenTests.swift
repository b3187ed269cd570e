import HTTPTypes
import Testing

@Suite struct AppleTokenTests {
  @Test func `a code gives tokens in Apple's format`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn(#""nonce":"n""#)
      let reply = try await client.appleExchange(signIn.string("authorizationCode"))
      #expect(reply.status == 200)
      #expect(
        reply.json.names
          == ["access_token", "token_type", "expires_in", "refresh_token", "id_token"])
      #expect(reply.json.string("token_type") == "Bearer")
      #expect(reply.json.integer("expires_in") == 3600)
      let token = try IDToken(reply.json.string("id_token"))
      #expect(try token.isSigned(by: await client.get("/apple/auth/keys")))
      #expect(token.claims.string("sub") == signIn.string("user"))
      #expect(token.claims.string("nonce") == "n")
      let accessToken = reply.json.string("access_token")
      #expect(try token.claims.string("at_hash") == IDToken.halfHash(accessToken))
    }
  }

  @Test func `a code works once`() async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      #expect(try await client.appleExchange(code).status == 200)
      let second = try await client.appleExchange(code)
      #expect(second.status == 400)
      #expect(second.error == "invalid_grant")
      #expect(second.errorDescription == "The code has already been used.")
    }
  }

  @Test(arguments: [(299.0, 200), (300.0, 400)])
  func `a code is valid for five minutes`(age: Double, status: Int) async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      var secret = AppleSecret()
      secret.expiry = 1_750_001_000
      client.clock.advance(seconds: age)
      let reply = try await client.appleExchange(code, secret: secret.text())
      #expect(reply.status == status)
      #expect(reply.error == (status == 200 ? nil : "invalid_grant"))
    }
  }

  @Test func `a code of another app is refused, and stays valid for its own`() async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn().string("authorizationCode")
      let wrong = try await client.post(
        "/apple/auth/token",
        form: [
          "client_id": "com.example.other",
          "client_secret": AppleSecret.good("com.example.other"),
          "grant_type": "authorization_code", "code": code ?? "",
        ])
      #expect(wrong.error == "invalid_grant")
      #expect(wrong.errorDescription?.hasPrefix("client_id mismatch.") == true)
      #expect(try await client.appleExchange(code).status == 200)
    }
  }

  @Test func `a refresh token gives new tokens again and again`() async throws {
    try await withSimulator { client in
      let code = try await client.appleSignIn(#""nonce":"n""#).string("authorizationCode")
      let refreshToken = try await client.appleExchange(code).json.string("refresh_token")
      for _ in 1...2 {
        let reply = try await client.appleRefresh(refreshToken)
        #expect(reply.status == 200)
        #expect(reply.json.names == ["access_token", "token_type", "expires_in", "id_token"])
        #expect(!(try IDToken(reply.json.string("id_token")).claims.names.contains("nonce")))
      }
    }
  }

  @Test func `an unknown refresh token is an invalid grant`() async throws {
    try await withSimulator { client in
      let reply = try await client.appleRefresh("r0.unknown")
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_grant")
    }
  }

  @Test func `another grant type is unsupported`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/apple/auth/token",
        form: [
          "client_id": "com.example.app", "client_secret": AppleSecret.good(),
          "grant_type": "password",
        ])
      #expect(reply.status == 400)
      #expect(reply.error == "unsupported_grant_type")
    }
  }

  @Test(arguments: ["client_id", "client_secret", "grant_type", "code"])
  func `a missing parameter is named`(name: String) async throws {
    try await withSimulator { client in
      let all = [
        "client_id=com.example.app", "client_secret=\(try AppleSecret.good())",
        "grant_type=authorization_code", "code=c",
      ]
      let body = all.filter { !$0.hasPrefix("\(name)=") }.joined(separator: "&")
      let reply = try await client.send(
        .post, "/apple/auth/token",
        headers: [.contentType: "application/x-www-form-urlencoded"], body: body)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      #expect(reply.errorDescription == "Missing required parameter: \(name)")
    }
  }

  @Test func `a repeated parameter is refused`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/apple/auth/token",
        form: ["client_id": "com.example.app", "client_id": "com.example.app"])
      #expect(reply.error == "invalid_request")
      #expect(reply.errorDescription == "The parameter \"client_id\" comes more than once.")
    }
  }

  @Test func `a JSON body is refused`() async throws {
    try await withSimulator { client in
      let reply = try await client.post("/apple/auth/token", json: "{}")
      #expect(reply.error == "invalid_request")
    }
  }
}
