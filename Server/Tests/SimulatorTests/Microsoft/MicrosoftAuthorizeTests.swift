import HTTPTypes
import Testing

@Suite struct MicrosoftAuthorizeTests {
  @Test func `a code is returned with the state`() async throws {
    try await withSimulator { client in
      let answer = try await client.microsoftAuthorize().redirectParameters()
      #expect(answer.keys.sorted() == ["code", "session_state", "state"])
      #expect(answer["state"] == "s 1")
    }
  }

  @Test(arguments: [("id_token", false), ("code id_token", true), ("id_token code", true)])
  func `an ID token is sent by form or fragment`(type: String, hasCode: Bool) async throws {
    try await withSimulator { client in
      let changes = ["response_type": type, "person": "bob"]
      let form = try await client.microsoftAuthorize(
        changes.merging(["response_mode": "form_post"]) { _, new in new }
      ).formFields()
      let fragment = try await client.microsoftAuthorize(changes).redirectParameters("#")
      for answer in [form, fragment] {
        let token = try IDToken(answer["id_token"])
        #expect(token.claims.string("nonce") == "n1")
        #expect(token.claims.string("preferred_username") == "bob@example.com")
        #expect((answer["code"] != nil) == hasCode)
        #expect(
          try token.claims.string("c_hash")
            == (hasCode ? IDToken.halfHash(answer["code"]) : nil))
      }
    }
  }

  @Test(arguments: [
    (["response_type": ""], "invalid_request", "AADSTS900144: "),
    (["response_type": "token"], "unsupported_response_type", "AADSTS70005: "),
    (["scope": ""], "invalid_request", "AADSTS900144: "),
    (["scope": "openid made.up"], "invalid_scope", "AADSTS70011: "),
    (["response_type": "id_token", "nonce": ""], "invalid_request", "AADSTS90014: "),
    (["response_type": "id_token", "scope": "profile"], "invalid_scope", "AADSTS70011: "),
    (["decision": "cancel"], "access_denied", "AADSTS65004: "),
    (["code_challenge_method": "plain"], "invalid_request", "code_challenge_method must be S256."),
  ])
  func `an error in the request is sent to the app`(
    changes: [String: String], error: String, description: String
  ) async throws {
    try await withSimulator { client in
      let reply = try await client.microsoftAuthorize(changes)
      let isToken = changes["response_type"] == "id_token"
      let answer = try reply.redirectParameters(isToken ? "#" : "?")
      #expect(answer["error"] == error)
      #expect(answer["error_description"]?.hasPrefix(description) == true)
      #expect(answer["error_subcode"] == (error == "access_denied" ? "cancel" : nil))
      #expect(answer["state"] == "s 1")
    }
  }

  @Test(arguments: [
    (["client_id": ""], "invalid_request", 900_144),
    (["redirect_uri": ""], "invalid_request", 900_971),
    (
      ["response_type": "id_token", "response_mode": "query"], "invalid_request", 70_007
    ),
    (["redirect_uri": "https://app.example.com/other"], "invalid_request", 50_011),
  ])
  func `a request without a valid redirect URI shows the person an error`(
    changes: [String: String], error: String, number: Int
  ) async throws {
    try await withSimulator { client in
      if number == 50_011 {
        _ = try await client.put(
          "/simulator/clients",
          json: """
            {"provider":"microsoft","client_id":"ms-client",
             "redirect_uris":["\(OpenIDProvider.redirectURI)"]}
            """)
      }
      let reply = try await client.microsoftAuthorize(changes)
      #expect(reply.status == 400)
      #expect(reply.error == error)
      #expect(reply.errorDescription?.hasPrefix("AADSTS\(number): ") == true)
      #expect(reply.text.contains("\"error_codes\":[\(number)]"))
      #expect(reply.json.string("timestamp") == "2025-06-15 15:06:40Z")
      #expect(
        reply.json.names == [
          "error", "error_description", "error_codes", "timestamp", "trace_id", "correlation_id",
          "error_uri",
        ])
    }
  }

  @Test(
    arguments: [
      ("common", "work", nil), ("common", "home", nil), ("organizations", "work", nil),
      ("organizations", "home", 500_200), ("consumers", "work", 50_020), ("consumers", "home", nil),
      (Tenant.first, "work", nil), (Tenant.second, "work", 50_020), (Tenant.first, "home", 50_020),
    ] as [(String, String, Int?)])
  func `only a person with an account in the tenant can sign in`(
    authority: String, person: String, number: Int?
  ) async throws {
    try await withSimulator { client in
      for (id, tenant) in [("work", Tenant.first), ("home", "consumers")] {
        _ = try await client.post(
          "/simulator/persons", json: "{\"id\":\"\(id)\",\"microsoft\":{\"tenant\":\"\(tenant)\"}}")
      }
      let reply = try await client.microsoftAuthorize(["person": person], at: authority)
      #expect(reply.status == (number == nil ? 302 : 400))
      guard let number else { return }
      #expect(reply.error == "access_denied")
      #expect(reply.errorDescription?.hasPrefix("AADSTS\(number): ") == true)
    }
  }

  @Test func `login_hint can be a name at Microsoft`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons",
        json: #"{"id":"carol","microsoft":{"preferredUsername":"carol@work.example"}}"#)
      let answer = try await client.microsoftAuthorize([
        "login_hint": "Carol@work.example", "response_type": "id_token",
      ]).redirectParameters("#")
      #expect(
        try IDToken(answer["id_token"]).claims.string("preferred_username") == "carol@work.example")
    }
  }

  @Test func `an unknown person and an unknown tenant are errors`() async throws {
    try await withSimulator { client in
      let unknown = try await client.microsoftAuthorize(["person": "nobody"])
      #expect(unknown.status == 404)
      #expect(unknown.error == "person_not_found")
      let tenant = try await client.microsoftAuthorize(at: "example.com")
      #expect(tenant.error == "invalid_tenant")
    }
  }
}
