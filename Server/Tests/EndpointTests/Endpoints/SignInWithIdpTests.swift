import GatehouseProtocol
import Testing

@Suite struct SignInWithIdpTests {
  private static let email: JSONValue = "ada@example.com"

  @Test func `a first sign-in creates an account and returns what the provider says`() async throws
  {
    try await TestServer.with { server in
      let token = try FakeProviders.token(
        "google.com",
        [
          "sub": "g-1", "email": Self.email, "email_verified": true, "name": "Ada L",
          "given_name": "Ada", "family_name": "L", "picture": "https://example.com/p.png",
        ])
      let reply = try await server.call(FakeProviders.signIn("google.com", token))
      #expect(reply.status == 200)
      #expect(reply["kind"] == "identitytoolkit#VerifyAssertionResponse")
      #expect(reply["federatedId"] == "https://accounts.google.com/g-1")
      #expect(reply["isNewUser"] == true)
      #expect(reply["emailVerified"] == true)
      #expect(reply["firstName"] == "Ada")
      #expect(reply["fullName"] == "Ada L")
      #expect(reply["oauthIdToken"] == .string(token))
      #expect(reply["oauthAccessToken"] == nil)
      #expect(reply["expiresIn"] == "3600")
      #expect(reply["pendingToken"]?.string?.isEmpty == false)
      let raw = try JSONObject(parsing: reply["rawUserInfo"]?.string ?? "")
      #expect(raw["id"] == "g-1")
      #expect(raw["verified_email"] == true)
      #expect(reply.claims()["firebase"]?["sign_in_provider"] == "google.com")
    }
  }

  @Test func `a pending token has to be of the provider that the request names`() async throws {
    try await TestServer.with { server in
      let told = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      let repeated = { (postBody: String) in
        try await server.call(
          .accounts(
            "signInWithIdp",
            [
              "requestUri": "http://localhost", "postBody": .string(postBody),
              "pendingToken": told["pendingToken"] ?? .null, "returnSecureToken": true,
            ]))
      }
      #expect(try await repeated("providerId=oidc.trusted")["localId"] == told["localId"])
      #expect(try await repeated("")["localId"] == told["localId"])
      for provider in ["apple.com", "oidc.plain", "oidc.Trusted"] {
        #expect(
          try await repeated("providerId=\(provider)").error == "INVALID_PENDING_TOKEN")
      }
    }
  }

  @Test func `the same subject signs in to the same account and isn't new`() async throws {
    try await TestServer.with { server in
      let first = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      let again = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      #expect(again["localId"] == first["localId"])
      #expect(again["emailVerified"] == false)
      #expect(again["federatedId"] == "oidc.trusted/s")
    }
  }

  @Test func `Apple's name comes from the request, once`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token(
        "apple.com",
        [
          "sub": "001.a", "email_verified": "true",
          "email": Self.email,
        ])
      let user = #"&user={"name":{"firstName":"Zoë & Co","lastName":"L"}}"#
      let reply = try await server.call(FakeProviders.signIn("apple.com", token, more: user))
      #expect(reply["displayName"] == "Zoë & Co L")
      #expect(reply["emailVerified"] == true)
      #expect(reply["federatedId"] == "001.a")
      #expect(reply.claims()["name"] == "Zoë & Co L")
    }
  }

  @Test func `the form of the request is checked first`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token(["sub": "s"])
      func error(_ body: JSONValue) async throws -> String? {
        try await server.call(.accounts("signInWithIdp", body)).error
      }
      let post = JSONValue.string("id_token=\(token)&providerId=oidc.trusted")
      #expect(try await error(["postBody": post]) == "MISSING_REQUEST_URI")
      for uri in [
        "notAbsolute", "//localhost", "/cb", " http://localhost", "http:", "http:localhost",
        "http://", "https://?a=b", "HTTP://#f", "http://:80", "http://local host",
      ] {
        #expect(
          try await error(["postBody": post, "requestUri": .string(uri)]) == "INVALID_REQUEST_URI",
          "\(uri)")
      }
      for uri in ["http://localhost", "HTTPS://localhost:80/", "com.example.app:/cb", "urn:x"] {
        #expect(
          try await error(["requestUri": .string(uri)])?.hasPrefix(
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: ") == true,
          "\(uri)")
      }
      let uri: JSONValue = "http://localhost/cb?secret=1"
      #expect(
        try await error(["requestUri": uri])
          == "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
          + "http://localhost/cb")
      #expect(
        try await error(["requestUri": uri, "postBody": "providerId=oidc.trusted&code_verifier=x"])
          == "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
          + "http://localhost/cb?providerId=oidc.trusted")
      for (provider, reason) in [
        ("OIDC.TRUSTED", "not found"), ("oidc.none", "not found"), ("github.com", "not found"),
      ] {
        #expect(
          try await error([
            "requestUri": uri, "postBody": .string("id_token=\(token)&providerId=\(provider)"),
          ]) == "OPERATION_NOT_ALLOWED : The identity provider configuration is \(reason).")
      }
    }
  }

  @Test func `a disabled provider is refused at once`() async throws {
    try await TestServer.with { server in
      let off = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/oauthIdpConfigs/oidc.trusted", ["enabled": false]
        ).with { $0.query = "updateMask=enabled" })
      #expect(off.status == 200)
      let reply = try await server.call(
        FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      #expect(
        reply.error == "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled.")
    }
  }

  @Test func `an invalid token is refused with the service's message`() async throws {
    try await TestServer.with { server in
      func error(_ token: String, more: String = "") async throws -> String? {
        try await server.call(FakeProviders.signIn(token, more: more)).error
      }
      #expect(try await error("{}") == "INVALID_IDP_RESPONSE : Unable to parse the ID Token.")
      let good = try FakeProviders.token(["sub": "s"]).split(separator: ".")
      let other = try FakeProviders.token(["sub": "t"]).split(separator: ".")
      #expect(
        try await error("\(good[0]).\(good[1]).\(other[2])")
          == "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature.")
      #expect(
        try await error(FakeProviders.token(["sub": "s", "aud": "other"]))
          == "INVALID_IDP_RESPONSE : The audience in ID Token [other] does not match the expected "
          + "audience oidc-client.")
      #expect(
        try await error(FakeProviders.token(["sub": "s", "iss": "https://other.example.com"]))
          == "INVALID_IDP_RESPONSE : The issuer in ID Token https://other.example.com does not match "
          + "the expected one in config: https://issuer.example.com.")
      #expect(
        try await error(FakeProviders.token(["sub": "s", "nonce": .string("raw".sha256Hex)]))
          == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
      #expect(
        try await error(FakeProviders.token(["sub": "s", "nonce": "raw"]), more: "&nonce=raw")?
          .hasPrefix(
            "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"raw\" does not match the SHA256 hash "
              + "of the raw nonce \"raw\" in the request.") == true)
    }
  }

  @Test func `a token with a nonce works once`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token(["sub": "s", "nonce": .string("raw".sha256Hex)])
      let request = FakeProviders.signIn(token, more: "&nonce=raw")
      #expect(try await server.call(request).status == 200)
      #expect(
        try await server.call(request).error
          == "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
          + "credential.")
    }
  }

  @Test func `a nonce that was used before is refused in a new token of the same user`()
    async throws
  {
    try await TestServer.with { server in
      let nonce = JSONValue.string("raw".sha256Hex)
      let first = try FakeProviders.token(["sub": "s", "nonce": nonce])
      let second = try FakeProviders.token(["sub": "s", "nonce": nonce, "name": "New"])
      let another = try FakeProviders.token(["sub": "t", "nonce": nonce])
      var errors: [String?] = []
      for token in [first, second, another] {
        let reply = try await server.call(FakeProviders.signIn(token, more: "&nonce=raw"))
        errors.append(reply.error)
      }
      let duplicate =
        "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
        + "credential."
      #expect(errors == [nil, duplicate, nil])
    }
  }

  @Test func `a provider's name loses its control characters, and the user is signed in`()
    async throws
  {
    try await TestServer.with { server in
      let token = try FakeProviders.token([
        "sub": "s", "name": .string(String(repeating: "\u{1}", count: 1000) + "Ann"),
      ])
      let reply = try await server.call(FakeProviders.signIn(token))
      #expect(reply["displayName"] == "Ann")
      let lookup = try await server.call(
        .accounts("lookup", ["idToken": try #require(reply["idToken"])]))
      #expect(lookup["users"]?.array?.first?["displayName"] == "Ann")
    }
  }

  @Test func `another identity of a linked provider is a conflict`() async throws {
    try await TestServer.with { server in
      let first = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "a"])))
      let idToken = try #require(first["idToken"])
      let token = try FakeProviders.token(["sub": "b"])
      let plain = try await server.call(FakeProviders.signIn(token, fields: ["idToken": idToken]))
      #expect(plain.status == 400)
      #expect(plain.error == "PROVIDER_ALREADY_LINKED")
      let told = try await server.call(
        FakeProviders.signIn(token, fields: ["idToken": idToken, "returnIdpCredential": true]))
      #expect(told.status == 200)
      #expect(told["errorMessage"] == "PROVIDER_ALREADY_LINKED")
      #expect(told["idToken"] == nil)
    }
  }

  @Test func `an untrusted address asks for a confirmation and signs no user in`() async throws {
    try await TestServer.with { server in
      let owner = try await server.call(
        .accounts("signUp", ["email": Self.email, "password": "secret1"]))
      let token = try FakeProviders.token(
        "oidc.plain", ["sub": "s", "email": Self.email, "email_verified": true])
      let reply = try await server.call(FakeProviders.signIn("oidc.plain", token))
      #expect(reply.status == 200)
      #expect(reply["needConfirmation"] == true)
      #expect(reply["localId"] == owner["localId"])
      #expect(reply["emailVerified"] == false)
      #expect(reply["verifiedProvider"] == nil)
      #expect(reply["pendingToken"]?.string?.isEmpty == false)
      for absent in ["idToken", "refreshToken", "isNewUser"] { #expect(reply[absent] == nil) }
    }
  }

  @Test func `another subject with the address of an account is a recycled address`() async throws {
    try await TestServer.with { server in
      let first = try FakeProviders.token(["sub": "a", "email": Self.email, "email_verified": true])
      _ = try await server.call(FakeProviders.signIn(first))
      let second = try FakeProviders.token([
        "sub": "b", "email": Self.email, "email_verified": true,
      ])
      let reply = try await server.call(FakeProviders.signIn(second))
      #expect(reply["emailRecycled"] == true)
      #expect(reply["needConfirmation"] == true)
      #expect(reply["verifiedProvider"] == ["oidc.trusted"])
      #expect(reply["idToken"] == nil)
    }
  }

  @Test func `a conflict is an error, or with returnIdpCredential an answer with the credential`()
    async throws
  {
    try await TestServer.with { server in
      _ = try await server.call(FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      let anonymous = try await server.call(.accounts("signUp"))
      let idToken = try #require(anonymous["idToken"])
      let token = try FakeProviders.token(["sub": "s"])
      let plain = try await server.call(FakeProviders.signIn(token, fields: ["idToken": idToken]))
      #expect(plain.status == 400)
      #expect(plain.error == "FEDERATED_USER_ID_ALREADY_LINKED")
      let told = try await server.call(
        FakeProviders.signIn(token, fields: ["idToken": idToken, "returnIdpCredential": true]))
      #expect(told.status == 200)
      #expect(told["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
      #expect(told["oauthIdToken"] == .string(token))
      for absent in ["idToken", "refreshToken", "localId"] { #expect(told[absent] == nil) }
      let merged = try await server.call(
        .accounts(
          "signInWithIdp",
          ["requestUri": "http://localhost", "pendingToken": try #require(told["pendingToken"])]))
      #expect(merged["idToken"]?.string?.isEmpty == false)
    }
  }

  @Test func `linking keeps the account, and a pending token that is forged is refused`()
    async throws
  {
    try await TestServer.with { server in
      let anonymous = try await server.call(.accounts("signUp"))
      let token = try FakeProviders.token(["sub": "s", "email": Self.email, "email_verified": true])
      let linked = try await server.call(
        FakeProviders.signIn(token, fields: ["idToken": try #require(anonymous["idToken"])]))
      #expect(linked["localId"] == anonymous["localId"])
      #expect(linked["isNewUser"] == nil)
      #expect(linked["emailVerified"] == true)
      let forged = try await server.call(
        .accounts("signInWithIdp", ["requestUri": "http://localhost", "pendingToken": "forged"]))
      #expect(forged.error == "INVALID_PENDING_TOKEN")
    }
  }

  @Test func `re-authentication creates nothing`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        FakeProviders.signIn(try FakeProviders.token(["sub": "s"]), fields: ["autoCreate": false]))
      #expect(reply.error == "USER_NOT_FOUND")
    }
  }
}

extension FakeProviders {
  static func token(_ claims: KeyValuePairs<String, JSONValue>) throws -> String {
    try token("oidc.trusted", claims)
  }

  static func signIn(
    _ token: String, more: String = "", fields: KeyValuePairs<String, JSONValue> = [:]
  ) -> TestRequest {
    signIn("oidc.trusted", token, more: more, fields: fields)
  }
}
