import HTTPTypes
import Testing

@Suite struct AppleAuthorizeTests {
  private static let redirectURI = "https://app.example.com/callback?from=apple"

  @Test func `a form_post page posts code, token, state and user automatically`() async throws {
    try await withSimulator { client in
      let page = try await authorize(client)
      #expect(page.status == 200)
      #expect(page.text.contains("document.forms[0].submit()"))
      #expect(page.text.contains("<noscript><button type=\"submit\">"))
      #expect(
        page.text.contains("action=\"https://app.example.com/callback?from=apple\""))
      let fields = try page.formFields()
      #expect(Set(fields.keys) == ["state", "code", "id_token", "user"])
      #expect(fields["state"] == "<s>&\"'")
      let user = JSONText(fields["user"] ?? "")
      #expect(user.object("name")?.string("firstName") == "Alice")
      #expect(user.object("name")?.string("lastName") == "Appleseed")
      #expect(user.string("email") == "alice@example.com")
      let token = try IDToken(fields["id_token"])
      #expect(token.claims.string("aud") == "com.example.web")
      #expect(token.claims.string("nonce") == "n1")
      #expect(try token.claims.string("c_hash") == IDToken.halfHash(fields["code"]))
    }
  }

  @Test func `the user is sent only the first time`() async throws {
    try await withSimulator { client in
      _ = try await authorize(client)
      #expect(try await authorize(client).formFields()["user"] == nil)
    }
  }

  @Test func `the code is bound to its redirect URI`() async throws {
    try await withSimulator { client in
      let code = try await authorize(client).formFields()["code"]
      for wrong in ["https://app.example.com/callback", ""] {
        let reply = try await exchange(code, redirectURI: wrong, client)
        #expect(reply.status == 400)
        #expect(reply.error == "invalid_grant")
        #expect(reply.errorDescription?.hasPrefix("redirect_uri mismatch.") == true)
      }
      #expect(try await exchange(code, redirectURI: Self.redirectURI, client).status == 200)
    }
  }

  @Test(arguments: [("query", "&" as Character), ("fragment", "#")])
  func `a code alone is sent by redirect`(mode: String, separator: Character) async throws {
    try await withSimulator { client in
      let reply = try await client.get(
        "/apple/auth/authorize",
        query: [
          "client_id": "com.example.web", "redirect_uri": Self.redirectURI,
          "response_type": "code", "response_mode": mode, "state": "a b",
        ])
      #expect(reply.status == 302)
      #expect(
        reply.headers[.location]?.hasPrefix("\(Self.redirectURI)\(separator)state=a%20b&code=")
          == true)
    }
  }

  @Test func `login_hint and person select who signs in`() async throws {
    try await withSimulator { client in
      let byHint = try await authorize(client, ["login_hint": "bob@example.com"]).formFields()
      #expect(JSONText(byHint["user"] ?? "").string("email") == "bob@example.com")
      let byPerson = try await authorize(client, ["person": "alice", "email": "hide"]).formFields()
      let email = try IDToken(byPerson["id_token"]).claims.string("email")
      #expect(email?.hasSuffix("@privaterelay.appleid.com") == true)
    }
  }

  @Test func `a cancelled sign-in is an error with the state`() async throws {
    try await withSimulator { client in
      let fields = try await authorize(client, ["decision": "cancel"]).formFields()
      #expect(fields == ["state": "<s>&\"'", "error": "user_cancelled_authorize"])
    }
  }

  @Test(arguments: [
    ("client_id", "", "invalid_request"), ("redirect_uri", "", "invalid_request"),
    ("redirect_uri", "javascript:alert(1)", "invalid_request"),
    ("redirect_uri", "com.example.app:/callback", "invalid_request"),
    ("redirect_uri", "https://app.example.com/#x", "invalid_request"),
    ("redirect_uri", "https://app.example.com/\r\nx: y", "invalid_request"),
    ("response_type", "token", "unsupported_response_type"),
    ("response_mode", "query", "invalid_request"), ("response_mode", "fragment", "invalid_request"),
    ("response_mode", "web", "invalid_request"), ("person", "nobody", "person_not_found"),
  ])
  func `a wrong request is refused without a redirect`(
    name: String, value: String, error: String
  ) async throws {
    try await withSimulator { client in
      let reply = try await authorize(client, [name: value])
      #expect([400, 404].contains(reply.status))
      #expect(reply.error == error)
      #expect(reply.headers[.location] == nil)
    }
  }

  @Test func `only a registered client's redirect URIs are accepted`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"apple","client_id":"com.example.web",
           "redirect_uris":["https://app.example.com/other"]}
          """)
      let refused = try await authorize(client)
      #expect(refused.status == 400)
      #expect(refused.error == "invalid_request")
      let taken = try await authorize(client, ["redirect_uri": "https://app.example.com/other"])
      #expect(taken.status == 200)
    }
  }

  /// A valid request with `changes`.
  private func authorize(
    _ client: SimulatorClient, _ changes: [String: String] = [:]
  ) async throws -> Reply {
    let good = [
      "client_id": "com.example.web", "redirect_uri": Self.redirectURI,
      "response_type": "code id_token", "response_mode": "form_post", "scope": "name email",
      "state": "<s>&\"'", "nonce": "n1",
    ]
    let query = good.merging(changes) { _, new in new }
      .map { Form.encode([$0.key: $0.value]) }.joined(separator: "&")
    return try await client.get("/apple/auth/authorize?\(query)")
  }

  private func exchange(
    _ code: String?, redirectURI: String, _ client: SimulatorClient
  ) async throws -> Reply {
    try await client.post(
      "/apple/auth/token",
      form: [
        "client_id": "com.example.web", "client_secret": AppleSecret.good("com.example.web"),
        "grant_type": "authorization_code", "code": code ?? "", "redirect_uri": redirectURI,
      ])
  }
}
