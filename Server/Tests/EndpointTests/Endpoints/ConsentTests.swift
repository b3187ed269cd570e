import GatehouseProtocol
import Testing

@Suite struct ConsentTests {
  private static let joins: JSONValue = ["apple.com", "oidc.plain"]
  private static let message =
    "CONSENT_REQUIRED : The user has to consent before these are linked in one account: "
    + "apple.com, oidc.plain."

  @Test func `without consent the error says what would be joined, and can be retried`()
    async throws
  {
    try await TestServer.with { server in
      let idToken = try await privateAccount(server)
      let token = try FakeProviders.token(
        "oidc.plain", ["sub": "s", "nonce": .string("n".sha256Hex)])
      let refused = try await server.call(
        FakeProviders.signIn("oidc.plain", token, more: "&nonce=n", fields: ["idToken": idToken]))
      #expect(refused.status == 400)
      #expect(refused.error == Self.message)
      #expect(refused["error"]?["consentRequired"]?["joins"] == Self.joins)
      let linked = try await server.call(
        FakeProviders.signIn(
          "oidc.plain", token, more: "&nonce=n",
          fields: ["idToken": idToken, "consent": ["version": "3", "joins": Self.joins]]))
      #expect(linked.status == 200)
    }
  }

  @Test func `with returnIdpCredential it is an answer with a pending token`() async throws {
    try await TestServer.with { server in
      let idToken = try await privateAccount(server)
      let asked = try await server.call(
        FakeProviders.signIn(
          "oidc.plain", try FakeProviders.token("oidc.plain", ["sub": "s"]),
          fields: ["idToken": idToken, "returnIdpCredential": true]))
      #expect(asked.status == 200)
      #expect(asked["errorMessage"] == .string(Self.message))
      #expect(asked["consentRequired"]?["joins"] == Self.joins)
      #expect(asked["idToken"] == nil)
      let linked = try await server.call(
        .accounts(
          "signInWithIdp",
          [
            "requestUri": "http://localhost", "idToken": idToken,
            "pendingToken": try #require(asked["pendingToken"]),
            "consent": ["version": "3", "joins": Self.joins],
          ]))
      #expect(linked["idToken"]?.string?.isEmpty == false)
    }
  }

  @Test func `administrators see the consents, the user's own look-up doesn't show them`()
    async throws
  {
    try await TestServer.with { server in
      let idToken = try await privateAccount(server)
      let consent: JSONValue = ["version": "2026-11", "joins": ["email", "apple.com"]]
      let updated = try await server.call(
        .accounts("update", ["idToken": idToken, "email": "a@example.com", "consent": consent]))
      #expect(updated["email"] == "a@example.com")
      let shown = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:lookup", ["email": ["a@example.com"]]
        ).with { _ in })
      let kept: JSONValue = [
        "version": "2026-11", "joins": ["apple.com", "email"], "givenAt": "1780000000000",
      ]
      #expect(shown["users"]?.array?.first?["consents"] == [kept])
      let listed = try await server.call(
        .admin(.get, "v1/projects/demo/accounts:batchGet").with { _ in })
      #expect(listed["users"]?.array?.first?["consents"] == [kept])
      let own = try await server.call(
        .accounts("lookup", ["idToken": try #require(updated["idToken"])]))
      #expect(own["users"]?.array?.first?["email"] == "a@example.com")
      #expect(own["users"]?.array?.first?["consents"] == nil)
    }
  }

  @Test(
    arguments: [
      (["version": "3", "joins": ["a b"]], "joins holds provider ids, \"email\" and \"phone\"."),
      (
        ["joins": ["email"]],
        "version is a text of 1 to 128 bytes, and joins a list of 1 to 32."
      ),
      (["version": "3"], "version is a text of 1 to 128 bytes, and joins a list of 1 to 32."),
    ] as [(JSONValue, String)])
  func `an invalid consent is refused, required or not`(_ consent: JSONValue, _ detail: String)
    async throws
  {
    try await TestServer.with { server in
      let reply = try await server.call(
        FakeProviders.signIn(
          "oidc.plain", try FakeProviders.token("oidc.plain", ["sub": "s"]),
          fields: ["consent": consent]))
      #expect(reply.error == "INVALID_CONSENT : \(detail)")
    }
  }

  /// Signs in with an Apple identity behind a relay address, in a project that asks for consent.
  private func privateAccount(_ server: TestServer) async throws -> JSONValue {
    let set = try await server.call(
      .admin(.patch, "v2/projects/demo/config", ["linkConsent": "anonymized"]).with { _ in })
    #expect(set["linkConsent"] == "anonymized")
    let token = try FakeProviders.token(
      "apple.com",
      [
        "sub": "001.a", "email": "relay@example.com", "email_verified": true,
        "is_private_email": "true",
      ])
    return try #require(try await server.call(FakeProviders.signIn("apple.com", token))["idToken"])
  }
}
