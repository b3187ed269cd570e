import Testing

@Suite struct MicrosoftClaimsTests {
  @Test func `an ID token names the person's tenant, whatever was requested`() async throws {
    try await withSimulator { client in
      let claims = try await client.microsoftIDToken(#""nonce":"n1","person":"bob""#).claims
      #expect(
        claims.names == [
          "ver", "iss", "sub", "aud", "exp", "iat", "nbf", "name", "preferred_username", "oid",
          "tid", "email", "nonce", "rh", "uti", "aio",
        ])
      #expect(claims.string("ver") == "2.0")
      #expect(claims.string("iss") == Tenant.issuer(Tenant.first))
      #expect(claims.string("tid") == Tenant.first)
      #expect(claims.string("aud") == "ms-client")
      #expect(claims.string("nonce") == "n1")
      #expect(claims.string("name") == "Bob Baker")
      #expect(claims.string("preferred_username") == "bob@example.com")
      #expect(claims.string("email") == "bob@example.com")
      #expect(claims.string("sub")?.utf8.count == 43)
      let guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
      #expect(claims.string("oid")?.wholeMatch(of: guid) != nil)
    }
  }

  @Test(arguments: [(Tenant.first, 1_750_003_600), ("consumers", 1_750_086_400)])
  func `a token is valid from five minutes before it was issued`(
    authority: String, expiry: Int
  ) async throws {
    try await withSimulator { client in
      let claims = try await client.microsoftIDToken("\"tenant\":\"\(authority)\"").claims
      #expect(claims.integer("iat") == 1_749_999_700)
      #expect(claims.integer("nbf") == 1_749_999_700)
      #expect(claims.integer("exp") == expiry)
    }
  }

  @Test func `a subject differs for each client, an object id for each tenant`() async throws {
    try await withSimulator { client in
      func claims(_ id: String, _ tenant: String) async throws -> JSONText {
        let reply = try await client.post(
          "/microsoft/native-sign-in", json: "{\"client_id\":\"\(id)\",\"tenant\":\"\(tenant)\"}")
        return try IDToken(reply.json.string("idToken")).claims
      }
      let one = try await claims("one", Tenant.first)
      let other = try await claims("other", Tenant.first)
      #expect(one.string("sub") != other.string("sub"))
      #expect(one.string("oid") == other.string("oid"))
      let elsewhere = try await claims("one", Tenant.second)
      #expect(one.string("sub") != elsewhere.string("sub"))
      #expect(one.string("oid") != elsewhere.string("oid"))
      let personal = try await claims("one", "consumers")
      #expect(personal.string("oid")?.hasPrefix("00000000-0000-0000-") == true)
      #expect(personal.string("iss") == Tenant.issuer(Tenant.personal))
    }
  }

  @Test(arguments: [
    (#"["openid"]"#, ["name", "preferred_username", "oid", "email"]),
    (#"["openid","profile"]"#, ["email"]), (#"["openid","email"]"#, ["name", "oid"]),
  ])
  func `claims of other scopes are absent`(scopes: String, absent: [String]) async throws {
    try await withSimulator { client in
      let claims = try await client.microsoftIDToken("\"scopes\":\(scopes)").claims
      #expect(claims.names.isDisjoint(with: absent))
      #expect(claims.string("tid") == Tenant.first)
    }
  }

  @Test(arguments: [true, false])
  func `xms_edov, on request, says whether the email's domain is verified`(
    isVerified: Bool
  ) async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons",
        json: "{\"id\":\"carol\",\"microsoft\":{\"emailDomainVerified\":\(isVerified)}}")
      let without = try await client.microsoftIDToken(#""person":"carol""#).claims
      #expect(!without.names.contains("xms_edov"))
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"microsoft","client_id":"ms-client","optional_claims":["email","xms_edov"]}
          """)
      let with = try await client.microsoftIDToken(#""person":"carol","scopes":["openid"]"#).claims
      #expect(with.bool("xms_edov") == isVerified)
      #expect(with.string("email") == "carol@example.com")
    }
  }

  @Test func `an unknown optional claim is refused`() async throws {
    try await withSimulator { client in
      let reply = try await client.put(
        "/simulator/clients",
        json: #"{"provider":"microsoft","client_id":"c","optional_claims":["made_up"]}"#)
      #expect(reply.error == "invalid_request")
      #expect(
        reply.errorDescription
          == "\"optional_claims\" may contain only \"email\" and \"xms_edov\".")
    }
  }
}
