import HTTPTypes
import Testing

@Suite struct OpenIDRevokeTests {
  @Test(arguments: [
    (OpenIDProvider.google, "Token has been expired or revoked."),
    (.oidc, "The person has withdrawn the consent."),
  ])
  func `after a revocation no token works`(
    provider: OpenIDProvider, description: String
  ) async throws {
    try await withSimulator { client in
      let tokens = try await signIn(provider, client)
      #expect(try await userInfo(tokens, provider, client).status == 200)
      let reply = try await revoke(tokens.string("accessToken"), provider, client)
      #expect(reply.status == 200)

      let refreshed = try await provider.refresh(tokens.string("refreshToken"), client)
      #expect(refreshed.status == 400)
      #expect(refreshed.error == "invalid_grant")
      #expect(refreshed.errorDescription == description)
      #expect(try await userInfo(tokens, provider, client).status == 401)
    }
  }

  @Test func `Google refuses an unknown token, the generic provider does not`() async throws {
    try await withSimulator { client in
      let google = try await revoke("unknown", .google, client)
      #expect(google.status == 400)
      #expect(google.error == "invalid_token")
      #expect(try await revoke("unknown", .oidc, client).status == 200)
    }
  }

  @Test func `Google accepts the token in the query and at the older path`() async throws {
    try await withSimulator { client in
      let token = try await signIn(.google, client).string("refreshToken") ?? ""
      let query = Form.encode(["token": token])
      let reply = try await client.send(.post, "/google/o/oauth2/revoke?\(query)")
      #expect(reply.status == 200)
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a withdrawn consent ends tokens like a revocation`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      let tokens = try await signIn(provider, client)
      let reply = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: "{\"provider\":\"\(provider.name)\",\"client_id\":\"client-1\"}")
      #expect(reply.status == 200)
      let refreshed = try await provider.refresh(tokens.string("refreshToken"), client)
      #expect(refreshed.error == "invalid_grant")
    }
  }

  @Test(arguments: [(OpenIDProvider.google, "invalid_request"), (.oidc, "invalid_token")])
  func `UserInfo requires a valid access token`(
    provider: OpenIDProvider, error: String
  ) async throws {
    try await withSimulator { client in
      let tokens = try await signIn(provider, client)
      let good = try await userInfo(tokens, provider, client)
      let idToken = try IDToken(tokens.string("idToken"))
      #expect(good.json.string("sub") == idToken.claims.string("sub"))
      #expect(good.json.string("email") == "alice@example.com")
      #expect(good.json.bool("email_verified") == true)

      let refreshToken = tokens.string("refreshToken") ?? ""
      for header in ["Bearer unknown", "Bearer \(refreshToken)", "Basic x", ""] {
        let reply = try await client.get(provider.userInfo, headers: [.authorization: header])
        #expect(reply.status == 401)
        #expect(reply.error == error)
        #expect(reply.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
      }
      client.clock.advance(seconds: 3600)
      #expect(try await userInfo(tokens, provider, client).error == error)
    }
  }

  private func signIn(
    _ provider: OpenIDProvider, _ client: SimulatorClient
  ) async throws -> JSONText {
    try await client.post(provider.nativeSignIn, json: #"{"client_id":"client-1"}"#).json
  }

  private func revoke(
    _ token: String?, _ provider: OpenIDProvider, _ client: SimulatorClient
  ) async throws -> Reply {
    try await client.post(
      provider.revoke, form: ["token": token ?? "", "client_id": "client-1"])
  }

  private func userInfo(
    _ tokens: JSONText, _ provider: OpenIDProvider, _ client: SimulatorClient
  ) async throws -> Reply {
    let token = tokens.string("accessToken") ?? ""
    return try await client.get(provider.userInfo, headers: [.authorization: "Bearer \(token)"])
  }
}
