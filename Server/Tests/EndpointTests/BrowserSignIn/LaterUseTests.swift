import GatehouseProtocol
import Testing

/// The credentials that a page creates after a sign-in in a popup or by a redirect: Firebase's SDK
/// takes Google's tokens from the answer (`GoogleAuthProvider.credentialFromResult`,
/// `credentialFromError`), and sends them without a nonce.
@Suite struct LaterUseTests {
  private static let modes = ["signInViaPopup", "signInViaRedirect"]

  /// The `postBody` that the SDK writes for a Google credential.
  private func credential(_ answer: TestReply) throws -> JSONValue {
    let idToken = try #require(answer["oauthIdToken"]?.string)
    let accessToken = try #require(answer["oauthAccessToken"]?.string)
    return .string("&id_token=\(idToken)&access_token=\(accessToken)&providerId=google.com")
  }

  private func use(
    _ server: TestServer, _ credential: JSONValue, _ fields: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> TestReply {
    var body: JSONObject = [
      "requestUri": "http://localhost", "postBody": credential, "returnSecureToken": true,
    ]
    for (name, value) in fields { body[name] = value }
    return try await server.call(.accounts("signInWithIdp", .object(body)))
  }

  private func arrive(
    _ server: TestServer, _ mode: String, _ email: JSONValue = .null
  ) async throws -> JSONValue? {
    try await PageFlow.arrive(
      server, mode, ["sub": "ada", "email": email, "email_verified": true],
      provider: "google.com"
    ).reply.event
  }

  @Test(arguments: modes)
  func `the credential of a sign-in signs in, and re-authenticates`(_ mode: String) async throws {
    try await TestServer.with { server in
      let first = try await PageFlow.redeem(server, try await arrive(server, mode))
      #expect(first["isNewUser"] == true)
      let credential = try credential(first)
      let again = try await use(server, credential)
      #expect(again.status == 200)
      #expect(again["localId"] == first["localId"])
      let verified = try await use(server, credential, ["autoCreate": false])
      #expect(verified["localId"] == first["localId"])
    }
  }

  @Test(arguments: ["linkViaPopup", "linkViaRedirect"])
  func `the credential of a link that failed signs in to the other account`(
    _ mode: String
  ) async throws {
    try await TestServer.with { server in
      let owner = try await PageFlow.redeem(server, try await arrive(server, "signInViaPopup"))
      let guest = try await server.call(.accounts("signUp", ["returnSecureToken": true]))
      let conflict = try await PageFlow.redeem(
        server, try await arrive(server, mode), ["idToken": guest["idToken"] ?? .null])
      #expect(conflict.status == 200)
      #expect(conflict["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      let signedIn = try await use(server, try credential(conflict))
      #expect(signedIn["localId"] == owner["localId"])
    }
  }

  @Test(arguments: modes)
  func `the credential of another account's address links to that account`(
    _ mode: String
  ) async throws {
    try await TestServer.with { server in
      let set = try await server.call(
        .admin(
          .patch, "v2/projects/demo/defaultSupportedIdpConfigs/google.com",
          ["trustEmail": "never"]
        ).with { _ in })
      #expect(set.status == 200)
      let owner = try await server.call(
        .accounts("signUp", ["email": "ada@example.com", "password": "notasecret"]))
      let told = try await PageFlow.redeem(
        server, try await arrive(server, mode, "ada@example.com"))
      #expect(told["needConfirmation"] == true)
      let linked = try await use(
        server, try credential(told), ["idToken": owner["idToken"] ?? .null])
      #expect(linked.status == 200)
      #expect(linked["localId"] == owner["localId"])
    }
  }

  @Test func `a token of another provider isn't accepted without its nonce`() async throws {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(server, "signInViaPopup")
      let first = try await PageFlow.redeem(server, page.event)
      let token = try #require(first["oauthIdToken"]?.string)
      let reply = try await server.call(FakeProviders.signIn("oidc.trusted", token))
      #expect(reply.error == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
    }
  }
}
