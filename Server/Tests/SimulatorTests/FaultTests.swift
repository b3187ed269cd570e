import HTTPTypes
import Testing

@Suite struct FaultTests {
  @Test(arguments: ["apple", "google", "oidc"])
  func `the issuer can be changed`(provider: String) async throws {
    try await withSimulator { client in
      try await fault(client, provider, #"{"issuer":"https://account.apple.com"}"#)
      let token = try await token(client, provider)
      #expect(token.claims.string("iss") == "https://account.apple.com")
      #expect(try await isSigned(token, client, provider))
    }
  }

  @Test func `booleans can be texts`() async throws {
    try await withSimulator { client in
      try await fault(client, "apple", #"{"stringBooleans":true}"#)
      let claims = try await token(client, "apple").claims
      #expect(claims.string("email_verified") == "true")
      #expect(claims.string("is_private_email") == "false")
      #expect(claims.string("nonce_supported") == "true")
    }
  }

  @Test func `claims and header can be set and left out`() async throws {
    try await withSimulator { client in
      try await fault(
        client, "google",
        """
        {"setClaims":{"aud":"someone-else","nonce":"wrong","extra":[1,null,2.5]},
         "omitClaims":["email"],"setHeader":{"alg":"none"},"omitHeader":["kid"]}
        """)
      let token = try await token(client, "google")
      #expect(token.claims.string("aud") == "someone-else")
      #expect(token.claims.string("nonce") == "wrong")
      #expect(!token.claims.names.contains("email"))
      #expect(token.header.string("alg") == "none")
      #expect(!token.header.names.contains("kid"))
    }
  }

  @Test(arguments: ["apple", "google", "oidc"])
  func `a signature can be invalid`(provider: String) async throws {
    try await withSimulator { client in
      try await fault(client, provider, #"{"badSignature":true}"#)
      let token = try await token(client, provider)
      #expect(try await !isSigned(token, client, provider))
    }
  }

  @Test func `tokens can be expired`() async throws {
    try await withSimulator { client in
      try await fault(client, "google", #"{"expiredTokens":true}"#)
      let reply = try await client.post("/google/native-sign-in", json: #"{"client_id":"c"}"#)
      let claims = try IDToken(reply.json.string("idToken")).claims
      #expect(claims.integer("exp") == 1_750_000_000 - 3600)
      #expect(claims.integer("iat") == 1_750_000_000 - 7200)
      let token = reply.json.string("accessToken") ?? ""
      let userInfo = try await client.get(
        "/google/oauth2/v3/userinfo", headers: [.authorization: "Bearer \(token)"])
      #expect(userInfo.status == 401)
    }
  }

  @Test func `codes can be expired, existing ones too`() async throws {
    try await withSimulator { client in
      let before = try await client.appleSignIn().string("authorizationCode")
      try await fault(client, "apple", #"{"expiredCodes":true}"#)
      let during = try await client.appleSignIn().string("authorizationCode")
      for code in [before, during] {
        let reply = try await client.appleExchange(code)
        #expect(reply.error == "invalid_grant")
        #expect(reply.errorDescription == "The code has expired or has been revoked.")
      }
      #expect(try await client.send(.delete, "/simulator/faults").status == 200)
      #expect(try await client.appleExchange(before).status == 200)
    }
  }

  @Test func `a fault of one sign-in affects no other`() async throws {
    try await withSimulator { client in
      let wrong = try await client.appleSignIn(
        #""faults":{"setClaims":{"nonce":"x"},"expiredCodes":true}"#)
      #expect(try IDToken(wrong.string("identityToken")).claims.string("nonce") == "x")
      let expired = try await client.appleExchange(wrong.string("authorizationCode"))
      #expect(expired.error == "invalid_grant")
      let right = try await client.appleSignIn()
      #expect(try IDToken(right.string("identityToken")).claims.string("nonce") == nil)
      #expect(try await client.appleExchange(right.string("authorizationCode")).status == 200)
    }
  }

  @Test func `an endpoint fails the configured number of times`() async throws {
    try await withSimulator { client in
      let put = try await client.put(
        "/simulator/faults",
        json: #"{"endpoints":[{"path":"/apple/auth/keys","status":503,"count":2}]}"#)
      #expect(put.status == 200)
      for _ in 1...2 {
        let reply = try await client.get("/apple/auth/keys")
        #expect(reply.status == 503)
        #expect(reply.error == "simulated_fault")
      }
      #expect(try await client.get("/apple/auth/keys").status == 200)
      #expect(try await client.get("/simulator/faults").json.objects("endpoints").isEmpty)
    }
  }

  @Test func `an endpoint is slow, and responds`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/faults",
        json: #"{"endpoints":[{"path":"/oidc/jwks","delayMilliseconds":150}]}"#)
      let start = ContinuousClock.now
      #expect(try await client.get("/oidc/jwks").status == 200)
      #expect(ContinuousClock.now - start >= .milliseconds(150))
    }
  }

  @Test func `faults are shown as they were set, and setting replaces all`() async throws {
    try await withSimulator { client in
      try await fault(client, "apple", #"{"issuer":"https://account.apple.com"}"#)
      try await fault(client, "google", #"{"badSignature":true}"#)
      let shown = try await client.get("/simulator/faults").json
      #expect(shown.names == ["google", "endpoints"])
      #expect(shown.object("google")?.names == ["badSignature"])
    }
  }

  @Test(arguments: [
    #"{"apple":{"isuer":"x"}}"#, #"{"facebok":{}}"#, #"{"apple":{"badSignature":"yes"}}"#,
    #"{"endpoints":[{"path":"/simulator/faults","status":500}]}"#,
    #"{"endpoints":[{"path":"/apple/auth/keys"}]}"#,
    #"{"endpoints":[{"path":"/apple/auth/keys","status":200}]}"#,
    #"{"endpoints":[{"path":"/apple/auth/keys","delayMilliseconds":60001}]}"#,
    #"{"endpoints":[{"path":"/apple/auth/keys","status":500,"count":0}]}"#,
  ])
  func `an invalid fault is refused`(body: String) async throws {
    try await withSimulator { client in
      let reply = try await client.put("/simulator/faults", json: body)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
    }
  }

  @Test(arguments: ["apple", "google", "oidc"], [true, false])
  func `keys rotate, with or without the old one`(provider: String, keepOld: Bool) async throws {
    try await withSimulator { client in
      let old = try await token(client, provider)
      let rotated = try await client.post(
        "/simulator/rotate-keys", json: "{\"provider\":\"\(provider)\",\"keepOld\":\(keepOld)}")
      #expect(rotated.status == 200)
      let new = try await token(client, provider)
      #expect(new.header.string("kid") == rotated.json.string("kid"))
      #expect(new.header.string("kid") != old.header.string("kid"))
      #expect(try await isSigned(new, client, provider))
      #expect(try await isSigned(old, client, provider) == keepOld)
    }
  }

  private func fault(
    _ client: SimulatorClient, _ provider: String, _ fault: String
  ) async throws {
    let reply = try await client.put("/simulator/faults", json: "{\"\(provider)\":\(fault)}")
    #expect(reply.status == 200)
  }

  private func token(_ client: SimulatorClient, _ provider: String) async throws -> IDToken {
    let reply = try await client.post(
      "/\(provider)/native-sign-in", json: #"{"client_id":"c","nonce":"n"}"#)
    return try IDToken(reply.json.string("identityToken") ?? reply.json.string("idToken"))
  }

  private func isSigned(
    _ token: IDToken, _ client: SimulatorClient, _ provider: String
  ) async throws -> Bool {
    let paths = ["apple": "/apple/auth/keys", "google": "/google/oauth2/v3/certs"]
    return try token.isSigned(by: await client.get(paths[provider] ?? "/oidc/jwks"))
  }
}
