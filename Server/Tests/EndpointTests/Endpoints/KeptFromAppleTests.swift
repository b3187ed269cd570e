import GatehouseProtocol
import Testing

/// What Apple says once is in every later answer that may contain it.
@Suite struct KeptFromAppleTests {
  private func signIn(_ claims: KeyValuePairs<String, JSONValue>) throws -> TestRequest {
    FakeProviders.signIn("apple.com", try FakeProviders.token("apple.com", claims))
  }

  @Test func `the profile has the claims of the first token`() async throws {
    try await TestServer.with { server in
      let first = try await server.call(
        signIn(["sub": "001.a", "real_user_status": 2, "is_private_email": "true"]))
      let later = try await server.call(signIn(["sub": "001.a", "real_user_status": 1]))
      let silent = try await server.call(signIn(["sub": "001.a"]))
      #expect(first["isNewUser"] == true)
      for reply in [later, silent] {
        #expect(reply["localId"] == first["localId"])
        let profile = try JSONObject(parsing: reply["rawUserInfo"]?.string ?? "")
        #expect(profile["sub"] == "001.a")
        #expect(profile["real_user_status"] == 2)
        #expect(profile["is_private_email"] == true)
      }
    }
  }

  @Test func `a number that the app sent has a name of its own`() async throws {
    try await TestServer.with { server in
      let first = try await server.call(
        FakeProviders.signIn(
          "apple.com", try FakeProviders.token("apple.com", ["sub": "001.d"]),
          more: "&realUserStatus=2"))
      let later = try await server.call(signIn(["sub": "001.d"]))
      for reply in [first, later] {
        let profile = try JSONObject(parsing: reply["rawUserInfo"]?.string ?? "")
        #expect(profile["real_user_status"] == nil)
        #expect(profile["real_user_status_from_app"] == 2)
      }
      let seen = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:lookup",
          ["localId": .array([first["localId"] ?? .null])]))
      let identity = seen["users"]?.array?.first?["providerUserInfo"]?.array?.first
      #expect(identity?["realUserStatus"] == nil)
      #expect(identity?["realUserStatusFromApp"] == 2)
    }
  }

  @Test func `nothing is made up for a user about whom Apple said nothing`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        signIn(["sub": "001.b", "email": "x@privaterelay.appleid.com"]))
      let profile = try JSONObject(parsing: reply["rawUserInfo"]?.string ?? "")
      #expect(profile["real_user_status"] == nil)
      #expect(profile["is_private_email"] == nil)
    }
  }

  @Test func `administrators see it with the identity, the user's own look-up doesn't`()
    async throws
  {
    try await TestServer.with { server in
      let signedIn = try await server.call(
        signIn(["sub": "001.c", "real_user_status": 0, "is_private_email": false]))
      let uid = signedIn["localId"] ?? .null
      let seen = try await server.call(
        TestRequest.admin(.post, "v1/projects/demo/accounts:lookup", ["localId": .array([uid])])
          .with { _ in })
      let identity = seen["users"]?.array?.first?["providerUserInfo"]?.array?.first
      #expect(identity?["providerId"] == "apple.com")
      #expect(identity?["realUserStatus"] == 0)
      #expect(identity?["isPrivateEmail"] == false)
      let own = try await server.call(
        .accounts("lookup", ["idToken": signedIn["idToken"] ?? .null]))
      let ownIdentity = own["users"]?.array?.first?["providerUserInfo"]?.array?.first
      #expect(ownIdentity?["providerId"] == "apple.com")
      #expect(ownIdentity?["realUserStatus"] == nil)
      #expect(ownIdentity?["isPrivateEmail"] == nil)
    }
  }
}
