import Testing

@Suite struct MicrosoftNativeSignInTests {
  @Test func `an app gets the results of Microsoft's SDK`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/microsoft/native-sign-in",
        json: #"{"client_id":"ms-client","nonce":"n","person":"bob","tenant":"consumers"}"#)
      #expect(reply.status == 200)
      let claims = try IDToken(reply.json.string("idToken")).claims
      #expect(claims.string("nonce") == "n")
      #expect(reply.json.string("tenantId") == Tenant.personal)
      #expect(reply.json.string("username") == "bob@example.com")
      let objectID = try #require(claims.string("oid"))
      #expect(reply.json.string("homeAccountId") == "\(objectID).\(Tenant.personal)")
      #expect(reply.json.integer("expiresIn") == 4_500)
    }
  }

  @Test func `a token can be expired or badly signed`() async throws {
    try await withSimulator { client in
      let expired = try await client.microsoftIDToken(#""faults":{"expiredTokens":true}"#).claims
      #expect(expired.integer("exp") == 1_749_996_100)
      #expect(expired.integer("nbf") == expired.integer("iat"))
      let bad = try await client.microsoftIDToken(#""faults":{"badSignature":true}"#)
      #expect(try await !bad.isSigned(by: client.get("/microsoft/common/discovery/v2.0/keys")))
    }
  }

  @Test(arguments: [
    (#"{"client_id":"c","person":"nobody"}"#, 404, "person_not_found"),
    (#"{"client_id":"c","tenant":"example.com"}"#, 400, "invalid_tenant"),
    (#"{"client_id":"c","scopes":["email"]}"#, 400, "invalid_request"),
    (#"{"client_id":""}"#, 400, "invalid_request"),
    (#"{"nonce":"n"}"#, 400, "invalid_request"),
  ])
  func `an invalid call is refused`(body: String, status: Int, error: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post("/microsoft/native-sign-in", json: body)
      #expect(reply.status == status)
      #expect(reply.error == error)
    }
  }
}
