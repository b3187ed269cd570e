import Testing

/// OpenID providers from other developers: ID tokens from their own code flows sign in through
/// discovery.
@Suite(.developmentServer)
struct OpenIDProviderTests {
  @Test func `an ID token of oidc-provider-mock, without a kid, signs in`() async throws {
    let server = try suiteServer()
    let email = Unique.email()
    try await OpenIDProvider.withMock(email: email) { provider in
      let configured = try await server.administrator.configure("oidc.mock", provider.configuration)
      #expect(configured.verdict == "200")
      let nonce = Unique.nonce()
      let tokens = try await provider.signIn(nonce: nonce)
      let credential = Credential(
        provider: "oidc.mock", idToken: tokens.idToken, nonce: nonce,
        accessToken: tokens.accessToken)

      var wrong = credential
      wrong.nonce = Unique.nonce()
      let refused = try await server.app.signIn(wrong)
      #expect(refused.message?.hasPrefix("MISSING_OR_INVALID_NONCE : ") == true)

      let first = try await server.app.signIn(credential)
      #expect(first.verdict == "200")
      #expect(first.json["isNewUser"] == true)
      #expect(first.json["federatedId"] == "oidc.mock/alice")
      #expect(first.json["email"].string == email)
      // Whatever `email_verified` is, the operator doesn't trust this provider's addresses.
      #expect(first.json["emailVerified"].bool != true)

      let replayed = try await server.app.signIn(credential)
      #expect(replayed.message?.contains("Duplicate credential received") == true)

      let again = try await provider.signIn(nonce: nil)
      let second = try await server.app.signIn(
        Credential(provider: "oidc.mock", idToken: again.idToken))
      #expect(second.json["localId"] == first.json["localId"])
      #expect(second.json["isNewUser"].isNull)
    }
  }

  @Test func `nanoidp's email comes from UserInfo, and its next key is fetched`() async throws {
    let server = try suiteServer()
    try await OpenIDProvider.withNano { provider in
      let configured = try await server.administrator.configure("oidc.nano", provider.configuration)
      #expect(configured.verdict == "200")
      let nonce = Unique.nonce()
      let tokens = try await provider.signIn(nonce: nonce)
      let first = try await server.app.signIn(
        Credential(
          provider: "oidc.nano", idToken: tokens.idToken, nonce: nonce,
          accessToken: tokens.accessToken))
      #expect(first.verdict == "200")
      #expect(first.json["federatedId"] == "oidc.nano/testuser")
      #expect(first.json["email"] == "test@example.org")

      let rotated = try await HTTP.post(provider.issuer + "/api/keys/rotate", [:])
      #expect(rotated.json["success"] == true)
      let nextNonce = Unique.nonce()
      let next = try await provider.signIn(nonce: nextNonce)
      let kids = [tokens, next].map { JWTParts($0.idToken)?.header["kid"] }
      #expect(kids[0] != kids[1])
      let second = try await server.app.signIn(
        Credential(provider: "oidc.nano", idToken: next.idToken, nonce: nextNonce))
      #expect(second.verdict == "200")
      #expect(second.json["localId"] == first.json["localId"])
    }
  }

  @Test func `a token for another client of the provider is refused`() async throws {
    let server = try suiteServer()
    try await OpenIDProvider.withMock(email: Unique.email()) { provider in
      var fields = provider.configuration
      if case .object(var members) = fields {
        members["clientId"] = "another-app"
        fields = .object(members)
      }
      _ = try await server.administrator.configure("oidc.mock-other", fields)
      let tokens = try await provider.signIn(nonce: nil)
      let refused = try await server.app.signIn(
        Credential(provider: "oidc.mock-other", idToken: tokens.idToken))
      #expect(
        refused.message
          == "INVALID_IDP_RESPONSE : The audience in ID Token [our-app] does not match the expected "
          + "audience another-app.")
    }
  }
}
