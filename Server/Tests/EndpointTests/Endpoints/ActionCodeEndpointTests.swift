import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

// Longer than 500 lines because the refusals and the uses of one code are read together.

/// sendOobCode, resetPassword, update with a code, signInWithEmailLink: what a client sees.
@Suite struct ActionCodeEndpointTests {
  private static let email: JSONValue = "ada@example.com"
  private static let credentials: JSONValue = ["email": email, "password": "secret1"]

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
    Row("sendOobCode", ["email": email], "MISSING_REQ_TYPE"),
    Row(
      "sendOobCode", ["email": email, "requestType": "OOB_REQ_TYPE_UNSPECIFIED"],
      "INVALID_REQ_TYPE"),
    Row(
      "sendOobCode", ["email": email, "requestType": "RESET"],
      "Invalid value at 'requestType' (TYPE_ENUM)"),
    Row("sendOobCode", ["email": email, "requestType": 99], "INVALID_REQ_TYPE"),
    Row("sendOobCode", ["email": email, "requestType": "RECOVER_EMAIL"], "INVALID_REQ_TYPE"),
    Row("sendOobCode", ["email": email, "requestType": "NEW_EMAIL_ACCEPT"], "INVALID_REQ_TYPE"),
    Row("sendOobCode", ["requestType": "PASSWORD_RESET"], "MISSING_EMAIL"),
    Row("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "x"], "INVALID_EMAIL"),
    Row(
      "sendOobCode", ["requestType": "PASSWORD_RESET", "email": "b@example.com"],
      "EMAIL_NOT_FOUND"),
    Row(
      "sendOobCode", ["requestType": 1, "email": email, "returnOobLink": true],
      "INSUFFICIENT_PERMISSION"),
    Row("sendOobCode", ["requestType": "VERIFY_EMAIL", "email": email], "INVALID_ID_TOKEN"),
    Row("sendOobCode", ["requestType": "VERIFY_AND_CHANGE_EMAIL"], "MISSING_NEW_EMAIL"),
    Row(
      "sendOobCode", ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "x"],
      "INVALID_NEW_EMAIL"),
    Row(
      "sendOobCode", ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "b@example.com"],
      "MISSING_ID_TOKEN"),
    Row(
      "sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": email, "androidInstallApp": true],
      "MISSING_ANDROID_PACKAGE_NAME"),
    Row(
      "sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": email, "iOSBundleId": "a b"],
      "INVALID_IOS_BUNDLE_ID"),
    Row(
      "sendOobCode",
      ["requestType": "EMAIL_SIGNIN", "email": email, "linkDomain": "evil.example"],
      "INVALID_HOSTING_LINK_DOMAIN : The link's domain isn't among the project's authorized domains."
    ),
    Row("resetPassword", ["newPassword": "secret2"], "MISSING_OOB_CODE"),
    Row("resetPassword", ["oobCode": "made-up"], "INVALID_OOB_CODE"),
    Row("resetPassword", ["oobCode": "made-up", "newPassword": "secret2"], "INVALID_OOB_CODE"),
    Row("signInWithEmailLink", ["oobCode": "made-up"], "MISSING_EMAIL"),
    Row("signInWithEmailLink", ["email": email], "MISSING_OOB_CODE"),
    Row("signInWithEmailLink", ["email": email, "oobCode": "made-up"], "INVALID_OOB_CODE"),
  ]

  @Test(arguments: refusals) func `each refusal has its code`(_ row: Row) async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let reply = try await server.call(.accounts(row.method, row.body))
      #expect(reply.error == row.error)
      #expect(reply.status == 400)
    }
  }

  static let continueURLs: [(String, String?)] = [
    ("http://localhost:3000/done?next=%2Fhome#top", nil),
    ("https://localhost", nil),
    ("/local/path", "INVALID_CONTINUE_URI"), ("localhost/done", "INVALID_CONTINUE_URI"),
    ("javascript:alert(1)", "INVALID_CONTINUE_URI"), ("myapp://localhost", "INVALID_CONTINUE_URI"),
    ("http://", "INVALID_CONTINUE_URI"),
    ("http://localhost\\@evil.example", "INVALID_CONTINUE_URI"),
    ("http://localhost@evil.example", "INVALID_CONTINUE_URI"),
    ("http://localhost/\r\nSet-Cookie: a=b", "INVALID_CONTINUE_URI"),
    ("http://localhost/#\u{0}", "INVALID_CONTINUE_URI"),
  ]

  @Test(arguments: continueURLs)
  func `a continue URL is absolute`(_ url: String, _ code: String?) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(Self.signIn(at: url))
      #expect(reply.error?.split(separator: " ").first.map(String.init) == code)
      #expect(reply.status == (code == nil ? 200 : 400))
    }
  }

  @Test(arguments: [nil, "http://localhost/"])
  func `a link that an app handles needs a continue URL`(_ url: String?) async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      for type in ["EMAIL_SIGNIN", "PASSWORD_RESET"] {
        let reply = try await server.call(
          .accounts(
            "sendOobCode",
            [
              "requestType": .string(type), "email": Self.email, "canHandleCodeInApp": true,
              "continueUrl": url.map(JSONValue.string) ?? .null,
            ]))
        #expect(reply.error == (url == nil ? "MISSING_CONTINUE_URI" : nil))
      }
    }
  }

  @Test(arguments: [
    "http://evil.example/", "http://localhost.evil.example/", "http://sub.localhost/",
  ]) func `its host has to be the project's in production, and may be any in development`(
    _ url: String
  ) async throws {
    try await TestServer.with { server in
      let taken = try await server.call(Self.signIn(at: url))
      #expect(taken.status == 200)
      // A developer who lists the app's domain wants the list to apply.
      let listed = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/config",
          ["authorizedDomains": ["localhost", "app.example.com"]]
        ).with { $0.query = "updateMask=authorizedDomains" })
      #expect(listed.status == 200)
      let refused = try await server.call(Self.signIn(at: url))
      #expect(refused.error == "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project")
      let own = try await server.call(Self.signIn(at: "https://app.example.com/in"))
      #expect(own.status == 200)
    }
    try await TestServer.with(.production) { server in
      let project = Project(
        id: try #require(ProjectID("demo")), number: 1, issuer: "https://auth.example.com/demo",
        authorizedDomains: ["localhost"], policies: .development)
      try await server.store.write { transaction in
        try transaction.save(project)
        try transaction.insert(APIKey(text: "any-key", project: project.id))
      }
      let reply = try await server.call(Self.signIn(at: url))
      #expect(reply.status == 400)
      #expect(reply.error == "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project")
      // The project's own host is accepted; the request then fails because this server can't send
      // mail.
      let own = try await server.call(Self.signIn(at: "http://localhost/"))
      #expect(own.error?.hasPrefix("OPERATION_NOT_ALLOWED : This server can't send mail.") == true)
    }
  }

  @Test(
    arguments: [
      ("https://app.example.com/in", nil), ("https://app.example.com:8443/in", nil),
      ("http://localhost:3000/", nil), ("http://127.0.0.1:3000/", nil), ("http://[::1]:3000/", nil),
      (
        "http://app.example.com/in",
        "UNAUTHORIZED_DOMAIN : The continueUrl has to begin with https://"
      ),
      (
        "http://app.example.com:443/",
        "UNAUTHORIZED_DOMAIN : The continueUrl has to begin with https://"
      ),
      ("http://app.localhost/", "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"),
      // Nothing but A to Z is folded: K is KELVIN SIGN.
      ("https://app.example.com\u{212A}/", "INVALID_CONTINUE_URI : Missing domain in continue url"),
    ] as [(String, String?)])
  func `in production a continue URL is https, or on this machine`(
    _ url: String, _ error: String?
  ) async throws {
    try await TestServer.withShop(domains: ["app.example.com", "localhost"]) { server, app in
      _ = try await server.services.projects.updateProject(app.project) {
        $0.policies.allowsEmailLinks = true
      }
      let reply = try await server.call(Self.signIn(at: url).with { $0.key = app.apiKey })
      // The request for an accepted URL fails later, because this server can't send mail.
      #expect(reply.error?.hasPrefix(error ?? "OPERATION_NOT_ALLOWED : This server can't") == true)
    }
  }

  @Test func `in development http is accepted, and the link names the domain`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/config",
          ["authorizedDomains": ["localhost", "app.example.com"]]
        ).with { $0.query = "updateMask=authorizedDomains" })
      let reply = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          [
            "requestType": "EMAIL_SIGNIN", "email": Self.email, "returnOobLink": true,
            "continueUrl": "http://app.example.com/in", "linkDomain": "app.example.com",
          ]
        ).with { _ in })
      let link = try #require(reply["oobLink"]?.string)
      #expect(link.contains("&linkDomain=app.example.com&"))
      #expect(!link.hasPrefix("https://app.example.com"))
    }
  }

  @Test func `only the sign-in says that the account is disabled`() async throws {
    try await TestServer.with { server in
      let user = try await server.call(.accounts("signUp", Self.credentials))
      let disable: JSONValue = ["localId": user["localId"] ?? .null, "disableUser": true]
      _ = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:update", disable).with { _ in })
      let client = try await server.call(Self.signIn(at: "http://localhost/"))
      #expect(client.status == 200)
      let sent = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": "EMAIL_SIGNIN", "email": Self.email, "returnOobLink": true]
        ).with { _ in })
      let code = try #require(sent["oobCode"])
      let reply = try await server.call(
        .accounts("signInWithEmailLink", ["email": Self.email, "oobCode": code]))
      #expect(reply.error == "USER_DISABLED")
    }
  }

  private static func signIn(at url: String) -> TestRequest {
    .accounts(
      "sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": .string(url)])
  }

  @Test func `a client gets the address and nothing of the code`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let reply = try await server.call(
        .accounts("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "Ada@Example.com"]))
      #expect(reply.json.object?.members.map(\.name) == ["kind", "email"])
      #expect(reply["kind"]?.string == "identitytoolkit#GetOobConfirmationCodeResponse")
      #expect(reply["email"] == Self.email)
    }
  }

  @Test func `a reset code can be checked, then used once`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let sent = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": "PASSWORD_RESET", "email": Self.email, "returnOobLink": true]
        ).with { _ in })
      let code = try #require(sent["oobCode"])
      let looked = try await server.call(.accounts("resetPassword", ["oobCode": code]))
      #expect(looked["email"] == Self.email)
      #expect(looked["requestType"]?.string == "PASSWORD_RESET")
      let body: JSONValue = ["oobCode": code, "newPassword": "secret2"]
      let used = try await server.call(.accounts("resetPassword", body))
      #expect(used["kind"]?.string == "identitytoolkit#ResetPasswordResponse")
      let again = try await server.call(
        TestRequest("/www.googleapis.com/identitytoolkit/v3/relyingparty/resetPassword", body))
      #expect(again.error == "INVALID_OOB_CODE")
    }
  }

  @Test func `six digits beside the link are requested with a field of Gatehouse's`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let sent = try await server.call(
        .accounts(
          "sendOobCode",
          ["requestType": "PASSWORD_RESET", "email": Self.email, "withVerificationCode": true]))
      #expect(sent.json.object?.members.map(\.name) == ["kind", "email", "sessionInfo"])
      let byAdministrator = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          [
            "requestType": "PASSWORD_RESET", "email": Self.email, "returnOobLink": true,
            "withVerificationCode": true,
          ]))
      let session = try #require(byAdministrator["sessionInfo"]?.string)
      let digits = try #require(byAdministrator["verificationCode"]?.string)
      let looked = try await server.call(
        .accounts("resetPassword", ["oobCode": .string("\(session).\(digits)")]))
      #expect(looked["requestType"]?.string == "PASSWORD_RESET")
      let wrong = digits == "000000" ? "000001" : "000000"
      let refused = try await server.call(
        .accounts("resetPassword", ["oobCode": .string("\(session).\(wrong)")]))
      #expect(refused.error == "INVALID_OOB_CODE")
    }
  }

  @Test func `an expired code has its own error`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(server, ["requestType": "PASSWORD_RESET", "email": Self.email])
      server.clock.advance(seconds: 3600)
      let reply = try await server.call(
        .accounts("resetPassword", ["oobCode": code, "newPassword": "secret2"]))
      #expect(reply.error == "EXPIRED_OOB_CODE")
    }
  }

  @Test func `a sign-in code doesn't reveal its address`() async throws {
    try await TestServer.with { server in
      let code = try await sent(server, ["requestType": "EMAIL_SIGNIN", "email": Self.email])
      let looked = try await server.call(.accounts("resetPassword", ["oobCode": code]))
      #expect(looked["requestType"]?.string == "EMAIL_SIGNIN")
      #expect(looked["email"] == nil)
      let other = try await server.call(
        .accounts("signInWithEmailLink", ["oobCode": code, "email": "b@example.com"]))
      #expect(
        other.error
          == "INVALID_EMAIL : The email provided does not match the sign-in email address.")
      let signedIn = try await server.call(
        .accounts("signInWithEmailLink", ["oobCode": code, "email": Self.email]))
      #expect(signedIn["kind"]?.string == "identitytoolkit#EmailLinkSigninResponse")
      #expect(signedIn["isNewUser"]?.bool == true)
      #expect(signedIn.claims()["firebase"]?["sign_in_provider"]?.string == "password")
      let found = try await server.call(
        .accounts("lookup", ["idToken": try #require(signedIn["idToken"])]))
      let user = found["users"]?.array?.first
      #expect(user?["emailLinkSignin"]?.bool == true)
      #expect(user?["emailVerified"]?.bool == true)
      #expect(user?["providerUserInfo"]?.array?.map { $0["providerId"] } == ["password"])
      let methods = try await server.call(
        .accounts(
          "createAuthUri", ["identifier": Self.email, "continueUri": "http://localhost"]))
      #expect(methods["signinMethods"] == ["emailLink"])
      #expect(methods["allProviders"] == ["password"])
    }
  }

  @Test func `an administrator's link for another address needs the present one`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      func ask(_ email: JSONValue) async throws -> TestReply {
        try await server.call(
          .admin(
            .post, "v1/projects/demo/accounts:sendOobCode",
            [
              "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": try #require(ada["idToken"]),
              "email": email, "newEmail": "new@example.com", "returnOobLink": true,
            ]))
      }
      #expect(try await ask(.null).error == "MISSING_EMAIL")
      let made = try await ask(Self.email)
      #expect(made.status == 200)
      #expect(made["oobCode"]?.string != nil)
    }
  }

  @Test func `a newer code voids the older one of its purpose`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let ask: JSONValue = ["requestType": "PASSWORD_RESET", "email": Self.email]
      let older = try await sent(server, ask)
      let link = try await sent(server, ["requestType": "EMAIL_SIGNIN", "email": Self.email])
      let newer = try await sent(server, ask)
      let refused = try await server.call(
        .accounts("resetPassword", ["oobCode": older, "newPassword": "secret2"]))
      #expect(refused.error == "INVALID_OOB_CODE")
      for good in [link, newer] {
        #expect(try await server.call(.accounts("resetPassword", ["oobCode": good])).status == 200)
      }
    }
  }

  @Test func `an empty new password is refused, and the code stays valid`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(server, ["requestType": "PASSWORD_RESET", "email": Self.email])
      let refused = try await server.call(
        .accounts("resetPassword", ["oobCode": code, "newPassword": ""]))
      #expect(refused.error == "WEAK_PASSWORD : Password should be at least 6 characters")
      let used = try await server.call(
        .accounts("resetPassword", ["oobCode": code, "newPassword": "secret2"]))
      #expect(used.status == 200)
    }
  }

  @Test func `a code whose new address another account got meanwhile is used up by the refusal`()
    async throws
  {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(
        server,
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": try #require(ada["idToken"]),
          "newEmail": "new@example.com",
        ])
      let other = try await server.call(
        .accounts("signUp", ["email": "new@example.com", "password": "secret1"]))
      let taken = try await server.call(.accounts("update", ["oobCode": code]))
      #expect(taken.error == "EMAIL_EXISTS")
      _ = try await server.call(
        .accounts("delete", ["idToken": try #require(other["idToken"])]))
      let again = try await server.call(.accounts("update", ["oobCode": code]))
      #expect(again.error == "INVALID_OOB_CODE")
    }
  }

  @Test func `a disabled account's code is refused and used up`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(server, ["requestType": "EMAIL_SIGNIN", "email": Self.email])
      func disable(_ flag: Bool) async throws {
        _ = try await server.call(
          .admin(
            .post, "v1/projects/demo/accounts:update",
            ["localId": try #require(ada["localId"]), "disableUser": .bool(flag)]
          ).with { _ in })
      }
      let signIn = TestRequest.accounts(
        "signInWithEmailLink", ["oobCode": code, "email": Self.email])
      try await disable(true)
      #expect(try await server.call(signIn).error == "USER_DISABLED")
      try await disable(false)
      #expect(try await server.call(signIn).error == "INVALID_OOB_CODE")
    }
  }

  @Test func `a link to sign in to an account ends with the account`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(server, ["requestType": "EMAIL_SIGNIN", "email": Self.email])
      _ = try await server.call(.accounts("delete", ["idToken": try #require(ada["idToken"])]))
      let reply = try await server.call(
        .accounts("signInWithEmailLink", ["oobCode": code, "email": Self.email]))
      #expect(reply.error == "INVALID_OOB_CODE")
    }
  }

  @Test(arguments: [
    ("PASSWORD_RESET", "resetPassword", "USER_NOT_FOUND"),
    ("VERIFY_EMAIL", "update", "EMAIL_NOT_FOUND"),
  ])
  func `a code for a former address can still be checked, and its use finds no user`(
    _ type: String, _ method: String, _ error: String
  ) async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let link = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": .string(type), "email": Self.email, "returnOobLink": true]))
      let code = try #require(link["oobCode"])
      let moved = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": try #require(ada["localId"]), "email": "moved@example.com"]))
      #expect(moved.status == 200)
      let checked = try await server.call(.accounts("resetPassword", ["oobCode": code]))
      #expect(checked["email"] == Self.email)
      #expect(checked["requestType"]?.string == type)
      let used = try await server.call(
        .accounts(method, ["oobCode": code, "newPassword": "secret2"]))
      #expect(used.status == 400)
      #expect(used.error == error)
    }
  }

  /// As in Google's service: a code of another account doesn't act in place of the token.
  @Test func `an ID token takes precedence over a code, which stays valid`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let bob = try await server.call(
        .accounts("signUp", ["email": "bob@example.com", "password": "secret1"]))
      let link = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:sendOobCode",
          ["requestType": "VERIFY_EMAIL", "email": Self.email, "returnOobLink": true]))
      let code = try #require(link["oobCode"])
      let forged = try await server.call(
        .accounts("update", ["oobCode": code, "idToken": "forged"]))
      #expect(forged.error == "INVALID_ID_TOKEN")
      let own = try await server.call(
        .accounts("update", ["oobCode": code, "idToken": try #require(bob["idToken"])]))
      #expect(own["localId"] == bob["localId"])
      #expect(own["emailVerified"] == false)
      let applied = try await server.call(.accounts("update", ["oobCode": code]))
      #expect(applied["email"] == Self.email)
      #expect(applied["emailVerified"] == true)
    }
  }

  @Test func `an address is changed by the code that was sent to the new one`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let code = try await sent(
        server,
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": try #require(ada["idToken"]),
          "newEmail": "new@example.com",
        ])
      let changed = try await server.call(.accounts("update", ["oobCode": code]))
      #expect(changed["localId"] == ada["localId"])
      #expect(changed["email"]?.string == "new@example.com")
      #expect(changed["newEmail"]?.string == "new@example.com")
      #expect(changed["emailVerified"]?.bool == true)
      #expect(changed["idToken"] == nil)
    }
  }

  @Test func `with protection, an unknown address gets the same answer`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(.accounts("signUp", Self.credentials))
      _ = try await server.call(
        .admin(
          .patch, "v2/projects/demo/config",
          ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]]
        ).with { _ in })
      for (address, isListed) in [("ada@example.com", true), ("nobody@example.com", false)] {
        let reply = try await server.call(
          .accounts("sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(address)]))
        #expect(reply.status == 200)
        #expect(reply.json.object?.members.map(\.name) == ["kind", "email"])
        let listed = try await list(server).contains { $0["email"]?.string == address }
        #expect(listed == isListed)
      }
    }
  }

  /// Sends a code and reads it from the end of the list.
  private func sent(_ server: TestServer, _ body: JSONValue) async throws -> JSONValue {
    let reply = try await server.call(.accounts("sendOobCode", body))
    #expect(reply.status == 200)
    let listed = try await list(server)
    return try #require(listed.last?["oobCode"])
  }

  private func list(_ server: TestServer) async throws -> [JSONValue] {
    let request = TestRequest("/emulator/v1/projects/demo/oobCodes").with {
      $0.method = .get
      $0.key = nil
    }
    let reply = try await server.call(request)
    return try #require(reply["oobCodes"]?.array)
  }
}
