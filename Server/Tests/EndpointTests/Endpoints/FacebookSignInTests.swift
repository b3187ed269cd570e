import GatehouseProtocol
import Testing

@Suite struct FacebookSignInTests {
  private func signIn(_ accessToken: String) -> TestRequest {
    .accounts(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "returnSecureToken": true,
        "postBody": .string("access_token=\(accessToken)&providerId=facebook.com"),
      ])
  }

  @Test func `an access token gets the answer that Firebase gives for Facebook`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(signIn("good"))
      #expect(reply.status == 200)
      #expect(reply["providerId"] == "facebook.com")
      #expect(reply["federatedId"] == "http://facebook.com/1001")
      #expect(reply["email"] == "ada@example.com")
      #expect(reply["emailVerified"] == false)
      #expect(reply["fullName"] == "Ada L")
      #expect(reply["photoUrl"] == "https://graph.facebook.com/1001/picture")
      #expect(reply["oauthAccessToken"] == "good")
      #expect(reply["oauthIdToken"] == nil)
      #expect(reply["screenName"] == nil)
      let raw = try JSONObject(parsing: reply["rawUserInfo"]?.string ?? "")
      #expect(raw["id"] == "1001")
      #expect(raw["granted_scopes"] == ["email"])
      #expect(reply.claims()["firebase"]?["identities"]?["facebook.com"] == ["1001"])
      #expect(reply.claims()["email_verified"] == false)

      let again = try await server.call(signIn("good"))
      #expect(again["localId"] == reply["localId"])
      #expect(again["isNewUser"] == nil)
    }
  }

  @Test(
    arguments: [
      (
        "revoked",
        #"INVALID_IDP_RESPONSE : Bad access token: {"code":190,"subcode":466,"message":"The session "#
          + #"was invalidated."}"#
      ),
      ("other-app", "INVALID_IDP_RESPONSE : Bad access token: it was issued to another app."),
      (
        "unknown",
        "INVALID_IDP_RESPONSE : Unsuccessful debug_token response from Facebook: "
          + #"{"error":{"code":100,"message":"(#100) The App_id in the input_token did not match "#
          + #"the Viewing App"}}"#
      ),
    ])
  func `a token that Facebook refuses is refused with the service's message`(
    _ accessToken: String, _ message: String
  ) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(signIn(accessToken))
      #expect(reply.status == 400)
      #expect(reply.error == message)
    }
  }

  @Test func `made-up access tokens are rate-limited by the address they come from`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(signIn("good"))
      let project = try #require(ProjectID(TestServer.project))
      _ = try await server.services.projects.updateProject(project) {
        $0.policies.rateLimits.failuresPerAddress = 2
      }
      var errors: [String?] = []
      for token in ["unknown", "revoked", "unknown", "good"] {
        errors.append(try await server.call(signIn(token)).error)
      }
      #expect(errors.prefix(2).allSatisfy { $0?.hasPrefix("INVALID_IDP_RESPONSE : ") == true })
      #expect(errors.suffix(2).allSatisfy { $0?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true })
      // Facebook was asked twice about the first token, and once about each refused one.
      let asked = server.providers.requests.filter { $0.url.contains("graph.facebook.com") }
      #expect(asked.count == 4)
      // Other sign-ins don't have to wait: an ID token is verified here.
      let other = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      #expect(other.status == 200)
    }
  }

  @Test func `an email address from Facebook never signs in to another account`() async throws {
    try await TestServer.with { server in
      let owner = try await server.call(
        .accounts(
          "signUp",
          ["email": "ada@example.com", "password": "notasecret", "returnSecureToken": true]))
      let reply = try await server.call(signIn("good"))
      #expect(reply["needConfirmation"] == true)
      #expect(reply["idToken"] == nil)
      let linked = try await server.call(
        .accounts(
          "signInWithIdp",
          [
            "requestUri": "http://localhost", "idToken": owner["idToken"] ?? .null,
            "pendingToken": reply["pendingToken"] ?? .null, "returnSecureToken": true,
          ]))
      #expect(linked["localId"] == owner["localId"])
      #expect(linked["emailVerified"] == false)
    }
  }
}
