import GatehouseProtocol
import Testing

/// Access tokens, which an attacker can make up: Google's without an ID token, and those sent with
/// one.
@Suite struct AccessTokenSignInTests {
  private static let made = "INVALID_IDP_RESPONSE : Bad access token: "

  private func google(_ accessToken: String) -> TestRequest {
    .accounts(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "returnSecureToken": true,
        "postBody": .string("access_token=\(accessToken)&providerId=google.com"),
      ])
  }

  @Test func `Google is asked which user an access token is for`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(google("google-good"))
      #expect(reply.status == 200)
      #expect(reply["federatedId"] == "https://accounts.google.com/g-9")
      #expect(reply["email"] == "ada@gmail.com")
      #expect(reply["emailVerified"] == true)
      #expect(reply["oauthAccessToken"] == "google-good")
      #expect(reply["oauthIdToken"] == nil)
      let token = try FakeProviders.token("google.com", ["sub": "g-9"])
      let same = try await server.call(FakeProviders.signIn("google.com", token))
      #expect(same["localId"] == reply["localId"])
    }
  }

  @Test(arguments: [
    ("other-app", "it was issued to another app."),
    ("made-up", "it is unknown, revoked or expired."),
  ])
  func `a token of another client, or an unknown one, is refused`(
    _ accessToken: String, _ detail: String
  ) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(google(accessToken))
      #expect(reply.status == 400)
      #expect(reply.error == Self.made + detail)
    }
  }

  /// Two are refused; then the provider isn't asked any more.
  private func expectLimit(
    _ request: () throws -> TestRequest, asking url: String, _ each: String?
  ) async throws {
    try await TestServer.with { server in
      let id = try #require(ProjectID(TestServer.project))
      _ = try await server.services.projects.projectForAdministrator(id)
      _ = try await server.services.projects.updateProject(id) {
        $0.policies.rateLimits.failuresPerAddress = 2
      }
      let refusal = "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later."
      for expected in [each, each, refusal] {
        let reply = try await server.call(try request())
        #expect(reply.error == expected)
      }
      #expect(server.providers.requests.count { $0.url.hasSuffix(url) } == 2)
    }
  }

  @Test func `made-up Google tokens are counted`() async throws {
    try await expectLimit(
      { google("made-up") }, asking: "/tokeninfo",
      Self.made + "it is unknown, revoked or expired.")
  }

  @Test func `made-up access tokens with a valid ID token are counted, and the user is signed in`()
    async throws
  {
    try await expectLimit(
      {
        FakeProviders.signIn(
          try FakeProviders.token(["sub": "s"]), more: "&access_token=made-up")
      }, asking: "/userinfo", nil)
  }
}
