import GatehouseProtocol
import Testing

/// signUp, signInWithPassword, lookup, update, delete, createAuthUri, token: what a client sees.
@Suite struct AccountEndpointTests {
  private static let email: JSONValue = "ada@example.com"
  private static let credentials: JSONValue = ["email": "Ada@Example.com", "password": "secret1"]

  struct Row: Sendable, CustomTestStringConvertible {
    let method: String
    let body: JSONValue
    let error: String
    var testDescription: String { "\(method) \(error)" }

    init(_ method: String, _ body: JSONValue, _ error: String) {
      (self.method, self.body, self.error) = (method, body, error)
    }
  }

  static let refusals: [Row] = [
    Row("signUp", ["email": email], "MISSING_PASSWORD"),
    Row("signUp", ["password": "secret1"], "MISSING_EMAIL"),
    Row("signUp", ["email": "not-an-email", "password": "secret1"], "INVALID_EMAIL"),
    Row("signUp", ["email": "\u{212A}@example.com", "password": "secret1"], "INVALID_EMAIL"),
    Row(
      "signUp", ["email": "b@example.com", "password": "12345"],
      "WEAK_PASSWORD : Password should be at least 6 characters"),
    Row(
      "signUp",
      ["email": "b@example.com", "password": .string(String(repeating: "a", count: 4097))],
      "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password cannot be longer than 4096 characters"),
    Row("signUp", ["localId": "mine"], "UNEXPECTED_PARAMETER : User ID"),
    Row("signUp", credentials, "EMAIL_EXISTS"),
    Row(
      "signUp",
      [
        "email": "b@example.com", "password": "secret1",
        "displayName": .string(String(repeating: "x", count: 257)),
      ], "INVALID_PROFILE_ATTRIBUTE : Display name too long."),
    Row("signUp", ["email": "", "password": "secret1"], "MISSING_EMAIL"),
    Row("signUp", ["email": "", "password": ""], "INVALID_EMAIL"),
    Row("signUp", ["email": email, "password": "12345"], "EMAIL_EXISTS"),
    Row(
      "signUp", ["email": "b@example.com", "password": "secret1", "displayName": "A\u{7}"],
      "INVALID_PROFILE_ATTRIBUTE : Display name has control characters."),
    Row(
      "update", ["idToken": "x", "photoUrl": "https://example.com/\u{1B}"],
      "INVALID_PROFILE_ATTRIBUTE : Photo URL has control characters."),
    Row(
      "update", ["idToken": "x", "photoUrl": .string(String(repeating: "x", count: 2049))],
      "INVALID_PROFILE_ATTRIBUTE : Photo URL too long."),
    Row("signInWithPassword", ["email": email], "MISSING_PASSWORD"),
    Row("signInWithPassword", ["email": "x", "password": "secret1"], "INVALID_EMAIL"),
    Row("signInWithPassword", ["email": email, "password": "wrong12"], "INVALID_PASSWORD"),
    Row(
      "signInWithPassword", ["email": "b@example.com", "password": "secret1"], "EMAIL_NOT_FOUND"),
    Row("lookup", ["idToken": "garbage"], "INVALID_ID_TOKEN"),
    Row("lookup", ["idToken": ""], "INVALID_ID_TOKEN"),
    Row("lookup", ["idToken": .null], "MISSING_ID_TOKEN"),
    Row("lookup", ["localId": ["x"]], "MISSING_ID_TOKEN"),
    Row("delete", [:], "MISSING_ID_TOKEN"),
    Row("update", ["displayName": "x"], "INVALID_REQ_TYPE : Unsupported request parameters."),
    Row("update", ["idToken": "x", "customAttributes": "{}"], "INVALID_ID_TOKEN"),
    Row("update", ["oobCode": "x", "customAttributes": "{}"], "INSUFFICIENT_PERMISSION"),
    Row("update", ["oobCode": "made-up"], "INVALID_OOB_CODE"),
    Row("createAuthUri", ["continueUri": "http://localhost"], "MISSING_IDENTIFIER"),
    Row("createAuthUri", ["providerId": "oidc.x"], "MISSING_CONTINUE_URI"),
    Row(
      "createAuthUri", ["identifier": "x", "continueUri": "http://localhost"],
      "INVALID_IDENTIFIER"),
  ]

  @Test(arguments: refusals) func `each refusal has its code`(_ row: Row) async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let reply = try await server.call(.accounts(row.method, row.body))
      #expect(reply.status == 400)
      #expect(reply.error == row.error)
    }
  }

  @Test func `a user can't set custom claims`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let idToken = try #require(ada["idToken"])
      let reply = try await server.call(
        .accounts("update", ["idToken": idToken, "customAttributes": #"{"admin":true}"#]))
      #expect(reply.status == 400)
      #expect(reply.error == "INSUFFICIENT_PERMISSION")
    }
  }

  @Test func `an account with a password signs in, shows itself and is deleted`() async throws {
    try await TestServer.with { server in
      let signUp = try await server.call(.accounts("signUp", Self.credentials))
      #expect(signUp["email"] == Self.email)
      let signIn = try await server.call(.accounts("signInWithPassword", Self.credentials))
      #expect(signIn["kind"] == "identitytoolkit#VerifyPasswordResponse")
      #expect(signIn["registered"] == true)
      let idToken = try #require(signIn["idToken"])
      let lookup = try await server.call(.accounts("lookup", ["idToken": idToken]))
      let user = lookup["users"]?.array?.first
      #expect(lookup["users"]?.array?.count == 1)
      #expect(user?["localId"] == signUp["localId"])
      #expect(user?["passwordHash"] == "UkVEQUNURUQ=")
      #expect(user?["salt"] == nil)
      #expect(user?["emailVerified"] == false)
      #expect(user?["createdAt"] == "1780000000000")
      #expect(user?["providerUserInfo"]?.array?.first?["providerId"] == "password")
      let deleted = try await server.call(.accounts("delete", ["idToken": idToken]))
      #expect(deleted["kind"] == "identitytoolkit#DeleteAccountResponse")
      let after = try await server.call(.accounts("lookup", ["idToken": idToken]))
      #expect(after.error == "USER_NOT_FOUND")
    }
  }

  @Test func `an anonymous account is upgraded in place`() async throws {
    try await TestServer.with { server in
      let anonymous = try await server.call(.accounts("signUp"))
      #expect(anonymous["email"] == nil)
      #expect(anonymous.claims()["provider_id"] == "anonymous")
      let upgraded = try await server.call(
        .accounts(
          "signUp",
          [
            "idToken": try #require(anonymous["idToken"]), "email": Self.email,
            "password": "secret1",
          ]))
      #expect(upgraded["localId"] == anonymous["localId"])
      #expect(upgraded.claims()["firebase"]?["sign_in_provider"] == "password")
    }
  }

  @Test func `a profile changes, an empty value stays, and deleteAttribute removes`() async throws {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", Self.credentials))
      let idToken = try #require(account["idToken"])
      let set = try await server.call(
        .accounts(
          "update", ["idToken": idToken, "displayName": "N", "photoUrl": "https://example.com/p"]))
      #expect(set["kind"] == "identitytoolkit#SetAccountInfoResponse")
      #expect(set["displayName"] == "N")
      #expect(set["idToken"] == nil)
      let removed = try await server.call(
        .accounts(
          "update", ["idToken": idToken, "displayName": "", "deleteAttribute": ["PHOTO_URL"]]))
      #expect(removed["displayName"] == "")
      #expect(removed["photoUrl"] == nil)
    }
  }

  @Test func `a token with the longest name and picture is still accepted`() async throws {
    try await TestServer.with { server in
      let signUp = try await server.call(
        .accounts(
          "signUp",
          [
            "email": Self.email, "password": "secret1",
            "displayName": .string(String(repeating: "€", count: 256)),
          ]))
      let account = try await server.call(
        .accounts(
          "update",
          [
            "idToken": try #require(signUp["idToken"]), "returnSecureToken": true,
            "password": "secret2", "photoUrl": .string(String(repeating: "x", count: 2048)),
          ]))
      #expect(account.claims()["picture"]?.string?.count == 2048)
      let lookup = try await server.call(
        .accounts("lookup", ["idToken": try #require(account["idToken"])]))
      #expect(lookup["users"]?.array?.count == 1)
    }
  }

  @Test func `a new password returns new tokens and ends the old ones`() async throws {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", Self.credentials))
      server.clock.advance(seconds: 2)
      let changed = try await server.call(
        .accounts(
          "update", ["idToken": try #require(account["idToken"]), "password": "another1"]))
      #expect(changed["idToken"]?.string?.isEmpty == false)
      let old = try await server.call(
        .accounts("lookup", ["idToken": try #require(account["idToken"])]))
      #expect(old.error == "TOKEN_EXPIRED")
    }
  }

  @Test func `a sensitive change requires a recent sign-in`() async throws {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", Self.credentials))
      let idToken = try #require(account["idToken"])
      server.clock.advance(seconds: 361)
      let deleted = try await server.call(.accounts("delete", ["idToken": idToken]))
      #expect(deleted.error == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  @Test func `createAuthUri returns the methods, and with protection nothing`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let body: JSONValue = [
        "identifier": Self.email, "continueUri": "http://localhost", "sessionId": "s",
      ]
      let told = try await server.call(.accounts("createAuthUri", body))
      #expect(told["registered"] == true)
      #expect(told["allProviders"] == ["password"])
      #expect(told["signinMethods"] == ["password"])
      #expect(told["sessionId"] == "s")
      _ = try await server.call(
        .admin(
          .patch, "v2/projects/demo/config",
          ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]]
        ).with { $0.query = "updateMask=emailPrivacyConfig.enableImprovedEmailPrivacy" })
      let untold = try await server.call(.accounts("createAuthUri", body))
      #expect(untold.status == 200)
      for absent in ["registered", "allProviders", "signinMethods"] {
        #expect(untold[absent] == nil)
      }
      let signIn = try await server.call(
        .accounts("signInWithPassword", ["email": "b@example.com", "password": "secret1"]))
      #expect(signIn.error == "INVALID_LOGIN_CREDENTIALS")
    }
  }

  @Test func `a refresh accepts a form or JSON and answers in snake_case`() async throws {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", Self.credentials))
      let refreshToken = try #require(account["refreshToken"]?.string)
      var form = TestRequest("/v1/token")
      form.body = "grant_type=refresh_token&refresh_token=\(refreshToken)"
      form.headers[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
      let first = try await server.call(form)
      #expect(first.status == 200)
      #expect(first["access_token"] == first["id_token"])
      #expect(first["expires_in"] == "3600")
      #expect(first["token_type"] == "Bearer")
      #expect(first["user_id"] == account["localId"])
      #expect(first["project_id"] == "12345")
      let json = try await server.call(
        TestRequest(
          "/v1/token",
          ["grantType": "refresh_token", "refreshToken": try #require(first["refresh_token"])]))
      #expect(json.status == 200)
      for (body, error) in [
        ("refresh_token=x", "MISSING_GRANT_TYPE"),
        ("grant_type=refresh_token", "MISSING_REFRESH_TOKEN"),
        ("grant_type=password&refresh_token=x", "INVALID_GRANT_TYPE"),
        ("grant_type=refresh_token&refresh_token=x", "INVALID_REFRESH_TOKEN"),
      ] {
        form.body = body
        #expect(try await server.call(form).error == error)
      }
      let valid =
        "grant_type=refresh_token&refresh_token=\(try #require(json["refresh_token"]?.string))"
      for name in ["grant_type", "refresh_token"] {
        form.body = "\(valid)&\(name)=x"
        let refused = try await server.call(form)
        #expect(refused.status == 400)
        #expect(refused.error == "The parameter \(name) is there more than once.")
      }
      form.body = valid
      #expect(try await server.call(form).status == 200)
    }
  }

  @Test func `a client may know its project's number and domains`() async throws {
    try await TestServer.with { server in
      for path in ["/v1/projects", "/identitytoolkit/v3/relyingparty/getProjectConfig"] {
        let reply = try await server.call(TestRequest(path).with { $0.method = .get })
        #expect(reply["projectId"] == "12345")
        #expect(reply["authorizedDomains"] == ["localhost"])
      }
    }
  }
}
