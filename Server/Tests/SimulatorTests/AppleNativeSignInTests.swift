import Testing

@Suite struct AppleNativeSignInTests {
  @Test func `the first sign-in returns what a device returns`() async throws {
    try await withSimulator { client in
      let answer = try await client.appleSignIn(#""nonce":"hashed","state":"s1""#)
      #expect(answer.object("fullName")?.string("givenName") == "Alice")
      #expect(answer.object("fullName")?.string("familyName") == "Appleseed")
      #expect(answer.string("email") == "alice@example.com")
      #expect(answer.integer("realUserStatus") == 2)
      #expect(answer.string("state") == "s1")
      #expect(answer.string("authorizationCode")?.isEmpty == false)
      let user = try #require(answer.string("user"))
      #expect(try /[0-9]{6}\.[0-9a-f]{32}\.[0-9]{4}/.wholeMatch(in: user) != nil)
    }
  }

  @Test func `the ID token has Apple's claims and verifies with the key set`() async throws {
    try await withSimulator { client in
      let answer = try await client.appleSignIn(#""nonce":"hashed""#)
      let token = try IDToken(answer.string("identityToken"))
      #expect(try token.isSigned(by: await client.get("/apple/auth/keys")))
      #expect(token.header.names == ["alg", "kid"])
      #expect(token.header.string("alg") == "RS256")
      let claims = token.claims
      #expect(claims.string("iss") == "https://appleid.apple.com")
      #expect(claims.string("aud") == "com.example.app")
      #expect(claims.string("sub") == answer.string("user"))
      #expect(claims.string("nonce") == "hashed")
      #expect(claims.bool("nonce_supported") == true)
      #expect(claims.string("email") == "alice@example.com")
      #expect(claims.bool("email_verified") == true)
      #expect(claims.bool("is_private_email") == false)
      #expect(claims.integer("auth_time") == 1_750_000_000)
      #expect(claims.integer("iat") == 1_750_000_000)
      #expect(claims.integer("exp") == 1_750_086_400)
      #expect(claims.integer("real_user_status") == 2)
      #expect(
        try claims.string("c_hash") == IDToken.halfHash(answer.string("authorizationCode")))
    }
  }

  @Test func `without a nonce the token has none`() async throws {
    try await withSimulator { client in
      let token = try IDToken(try await client.appleSignIn().string("identityToken"))
      #expect(!token.claims.names.contains("nonce"))
    }
  }

  @Test func `name and user status are sent once, the token's email always`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn()
      let second = try await client.appleSignIn()
      #expect(second.isNull("fullName"))
      #expect(second.isNull("email"))
      #expect(second.isNull("realUserStatus"))
      let token = try IDToken(second.string("identityToken"))
      #expect(token.claims.string("email") == "alice@example.com")
      #expect(!token.claims.names.contains("real_user_status"))
    }
  }

  @Test func `they are sent again after the consent was withdrawn`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn()
      let withdrawn = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: #"{"provider":"apple","client_id":"com.example.app"}"#)
      #expect(withdrawn.status == 200)
      let again = try await client.appleSignIn()
      #expect(again.object("fullName")?.string("givenName") == "Alice")
      #expect(again.integer("realUserStatus") == 2)
    }
  }

  @Test(arguments: [
    (#""scopes":["name"]"#, true, false), (#""scopes":["email"]"#, false, true),
    (#""scopes":[]"#, false, false), (#""scopes":["name","email"]"#, true, true),
  ])
  func `only requested scopes are sent`(
    scopes: String, name: Bool, email: Bool
  ) async throws {
    try await withSimulator { client in
      let answer = try await client.appleSignIn(scopes)
      #expect(answer.isNull("fullName") == !name)
      #expect(answer.isNull("email") == !email)
      let token = try IDToken(answer.string("identityToken"))
      #expect(token.claims.names.contains("email") == email)
      #expect(token.claims.names.contains("is_private_email") == email)
    }
  }

  @Test func `a hidden email is one relay address for all apps, and stays hidden`() async throws {
    try await withSimulator { client in
      let first = try await client.appleSignIn(#""email":"hide""#)
      let relay = try #require(first.string("email"))
      #expect(relay.hasSuffix("@privaterelay.appleid.com"))
      let token = try IDToken(
        try await client.appleSignIn(#""email":"share""#).string("identityToken"))
      #expect(token.claims.string("email") == relay)
      #expect(token.claims.bool("is_private_email") == true)
      let other = try await client.post(
        "/apple/native-sign-in", json: #"{"client_id":"com.example.other","email":"hide"}"#)
      #expect(other.json.string("email") == relay)
      #expect(other.json.string("user") == first.string("user"))
    }
  }

  @Test func `persons differ in sub and relay address, runs do not`() async throws {
    let first = try await withSimulator { client in
      let alice = try await client.appleSignIn(#""email":"hide""#)
      let bob = try await client.appleSignIn(#""person":"bob","email":"hide""#)
      #expect(alice.string("user") != bob.string("user"))
      #expect(alice.string("email") != bob.string("email"))
      return [alice.string("user"), alice.string("email")]
    }
    let second = try await withSimulator { client in
      let alice = try await client.appleSignIn(#""email":"hide""#)
      return [alice.string("user"), alice.string("email")]
    }
    #expect(first == second)
  }

  @Test func `a person can also be named by email`() async throws {
    try await withSimulator { client in
      let answer = try await client.appleSignIn(#""person":"BOB@example.com""#)
      #expect(answer.string("email") == "bob@example.com")
    }
  }

  @Test(arguments: [
    (#"{"client_id":"com.example.app","person":"nobody"}"#, 404, "person_not_found"),
    (#"{"person":"alice"}"#, 400, "invalid_request"),
    (#"{"client_id":""}"#, 400, "invalid_request"),
    (#"{"client_id":"com.example.app","email":"maybe"}"#, 400, "invalid_request"),
    (#"{"client_id":"com.example.app","scopes":["phone"]}"#, 400, "invalid_request"),
    (#"{"client_id":"com.example.app","nonse":"x"}"#, 400, "invalid_request"),
    (#"["com.example.app"]"#, 400, "invalid_request"), ("{", 400, "invalid_request"),
  ])
  func `an invalid call is refused`(body: String, status: Int, error: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post("/apple/native-sign-in", json: body)
      #expect(reply.status == status)
      #expect(reply.error == error)
      #expect(reply.errorDescription?.isEmpty == false)
    }
  }
}
