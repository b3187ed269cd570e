import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// sendVerificationCode and signInWithPhoneNumber: what a client sees. The emulator's own tests of
/// phone numbers are among these, each with the same requests and answers.
@Suite struct PhoneNumberTests {
  static let ann: JSONValue = "+15555550100"
  static let bob: JSONValue = "+15555550101"

  private struct Sent {
    let sessionInfo: JSONValue
    let code: JSONValue
  }

  /// Requests a code, and reads it from the emulator's list.
  private func send(
    _ server: TestServer, _ number: JSONValue = ann
  ) async throws -> Sent {
    let reply = try await server.call(
      .accounts("sendVerificationCode", ["phoneNumber": number, "recaptchaToken": "ignored"]))
    let sessionInfo = try #require(reply["sessionInfo"])
    let code = try await codes(server).first { $0["sessionInfo"] == sessionInfo }?["code"]
    return Sent(sessionInfo: sessionInfo, code: try #require(code))
  }

  private func codes(_ server: TestServer) async throws -> [JSONValue] {
    let reply = try await server.call(
      TestRequest("/emulator/v1/projects/demo/verificationCodes").with {
        $0.method = .get
        $0.key = nil
      })
    return reply["verificationCodes"]?.array ?? []
  }

  private func signIn(
    _ server: TestServer, _ number: JSONValue = ann,
    _ fields: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> TestReply {
    let sent = try await send(server, number)
    var body: JSONObject = ["sessionInfo": sent.sessionInfo, "code": sent.code]
    for (name, value) in fields { body[name] = value }
    return try await server.call(.accounts("signInWithPhoneNumber", .object(body)))
  }

  private func guest(_ server: TestServer) async throws -> JSONValue {
    try #require(try await server.call(.accounts("signUp", ["returnSecureToken": true]))["idToken"])
  }

  // MARK: Sending

  @Test func `a code is sent, and is in the emulator's list until it is used`() async throws {
    try await TestServer.with { server in
      let sent = try await send(server)
      let listed = try await codes(server)
      #expect(
        listed == [
          ["phoneNumber": Self.ann, "sessionInfo": sent.sessionInfo, "code": sent.code]
        ])
      _ = try await server.call(
        .accounts(
          "signInWithPhoneNumber", ["sessionInfo": sent.sessionInfo, "code": sent.code]))
      #expect(try await codes(server).isEmpty)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let method: String
    let body: JSONValue
    let error: String
    var testDescription: String { "\(method) \(error)" }

    init(_ method: String, _ body: JSONValue, _ error: String) {
      (self.method, self.body, self.error) = (method, body, error)
    }
  }

  private static let invalidNumber = "INVALID_PHONE_NUMBER : Invalid format."

  static let refusals: [Row] = [
    Row("sendVerificationCode", ["recaptchaToken": "ignored"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "invalid"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+1"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+1error"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+34 0612345678"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+1555555010"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "15555550100"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+05555550100"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+1234567890123456"], invalidNumber),
    Row("sendVerificationCode", ["phoneNumber": "+1555555０100"], invalidNumber),
    Row(
      "sendVerificationCode", ["phoneNumber": ann, "tenantId": "t"], "UNSUPPORTED_TENANT_OPERATION"),
    Row("signInWithPhoneNumber", ["code": "123456"], "MISSING_SESSION_INFO"),
    Row("signInWithPhoneNumber", ["sessionInfo": "something-something"], "MISSING_CODE"),
    Row(
      "signInWithPhoneNumber", ["sessionInfo": "totally-invalid", "code": "123456"],
      "INVALID_SESSION_INFO"),
    Row("signInWithPhoneNumber", ["temporaryProof": "made-up"], "MISSING_PHONE_NUMBER"),
    Row(
      "signInWithPhoneNumber", ["temporaryProof": "made-up", "phoneNumber": ann],
      "INVALID_TEMPORARY_PROOF"),
    Row(
      "signInWithPhoneNumber", ["sessionInfo": "s", "code": "1", "operation": "LINK"],
      "MISSING_ID_TOKEN"),
    Row(
      "signInWithPhoneNumber", ["sessionInfo": "s", "code": "1", "operation": "UPDATE"],
      "MISSING_ID_TOKEN"),
    Row(
      "signInWithPhoneNumber", ["sessionInfo": "s", "code": "1", "operation": "OTHER"],
      "Invalid value at 'operation' (TYPE_ENUM)"),
    Row(
      "signInWithPhoneNumber", ["sessionInfo": "s", "code": "1", "idToken": "a.b.c"],
      "INVALID_ID_TOKEN"),
    Row("signInWithPhoneNumber", ["tenantId": "t"], "UNSUPPORTED_TENANT_OPERATION"),
  ]

  @Test(arguments: refusals) func `each refusal has its code`(_ row: Row) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(.accounts(row.method, row.body))
      #expect(reply.error == row.error)
      #expect(reply.status == 400)
    }
  }

  @Test func `reCAPTCHA's parameters exist for clients that ask for them`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        TestRequest("/v1/recaptchaParams").with { $0.method = .get })
      #expect(reply["recaptchaStoken"]?.string != nil)
      #expect(reply["recaptchaSiteKey"]?.string != nil)
    }
  }

  @Test func `a message is sent to the normalized number, however it is written`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        .accounts("sendVerificationCode", ["phoneNumber": "+1 (555) 555-0100"]))
      #expect(try await codes(server).map { $0["phoneNumber"] } == [Self.ann])
    }
  }

  // MARK: Signing in

  @Test func `a new number creates an account, and its tokens say so`() async throws {
    try await TestServer.with { server in
      let reply = try await signIn(server)
      #expect(reply.status == 200)
      #expect(reply["isNewUser"] == true)
      #expect(reply["phoneNumber"] == Self.ann)
      #expect(reply["refreshToken"]?.string != nil)
      #expect(reply["expiresIn"] == "3600")
      let claims = reply.claims()
      #expect(claims["user_id"] == reply["localId"])
      #expect(claims["phone_number"] == Self.ann)
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"] == "phone")
      #expect(claims["firebase"]?["identities"] == ["phone": [Self.ann]])
      #expect(try await signIn(server)["isNewUser"] == false)
    }
  }

  @Test func `its look-up shows the number as a provider`() async throws {
    try await TestServer.with { server in
      let reply = try await signIn(server)
      let found = try await server.call(
        .accounts("lookup", ["idToken": try #require(reply["idToken"])]))
      let user = try #require(found["users"]?.array?.first)
      #expect(user["phoneNumber"] == Self.ann)
      #expect(
        user["providerUserInfo"] == [
          ["providerId": "phone", "rawId": Self.ann, "phoneNumber": Self.ann]
        ])
    }
  }

  @Test func `a code with an extra digit is invalid`() async throws {
    try await TestServer.with { server in
      let sent = try await send(server)
      let reply = try await server.call(
        .accounts(
          "signInWithPhoneNumber",
          [
            "sessionInfo": sent.sessionInfo,
            "code": .string((sent.code.string ?? "") + "1"),
          ]))
      #expect(reply.error == "INVALID_CODE")
    }
  }

  @Test func `a code is expired after ten minutes`() async throws {
    try await TestServer.with { server in
      let sent = try await send(server)
      server.clock.advance(seconds: 601)
      let reply = try await server.call(
        .accounts(
          "signInWithPhoneNumber", ["sessionInfo": sent.sessionInfo, "code": sent.code]))
      #expect(reply.error == "SESSION_EXPIRED")
      #expect(try await codes(server).isEmpty)
    }
  }

  @Test func `v3's names are the same`() async throws {
    try await TestServer.with { server in
      let sent = try await server.call(
        TestRequest("/relyingparty/sendVerificationCode", ["phoneNumber": Self.ann]))
      let code = try #require(try await codes(server).first?["code"])
      let reply = try await server.call(
        TestRequest(
          "/relyingparty/verifyPhoneNumber",
          [
            "sessionInfo": try #require(sent["sessionInfo"]), "code": code,
            "operation": "SIGN_UP_OR_IN",
          ]))
      #expect(reply["phoneNumber"] == Self.ann)
    }
  }

  @Test func `a disabled account is refused`() async throws {
    try await TestServer.with { server in
      let localID = try #require(try await signIn(server)["localId"])
      _ = try await server.call(
        TestRequest.admin(
          .post, "v1/projects/demo/accounts:update", ["localId": localID, "disableUser": true]
        ).with { _ in })
      #expect(try await signIn(server).error == "USER_DISABLED")
    }
  }

  @Test func `a re-authentication creates no account`() async throws {
    try await TestServer.with { server in
      let reauthentication: KeyValuePairs<String, JSONValue> = ["operation": "REAUTH"]
      #expect(try await signIn(server, Self.ann, reauthentication).error == "USER_NOT_FOUND")
      let ann = try await signIn(server)
      let again = try await signIn(server, Self.ann, reauthentication)
      #expect(again["localId"] == ann["localId"])
    }
  }

  // MARK: Linking

  @Test func `a number is linked to the account of an ID token`() async throws {
    try await TestServer.with { server in
      let guest = try await server.call(.accounts("signUp"))
      let token = try #require(guest["idToken"])
      let reply = try await signIn(server, Self.ann, ["idToken": token, "operation": "LINK"])
      #expect(reply["isNewUser"] == false)
      #expect(reply["phoneNumber"] == Self.ann)
      #expect(reply["localId"] == guest["localId"])
      let second = try await signIn(
        server, Self.bob, ["idToken": try #require(reply["idToken"]), "operation": "LINK"])
      #expect(second.error == "PROVIDER_ALREADY_LINKED")
      let updated = try await signIn(
        server, Self.bob, ["idToken": try #require(reply["idToken"]), "operation": "UPDATE"])
      #expect(updated["localId"] == guest["localId"])
      #expect(updated.claims()["phone_number"] == Self.bob)
    }
  }

  @Test func `nothing is linked to a disabled account`() async throws {
    try await TestServer.with { server in
      let guest = try await server.call(.accounts("signUp"))
      _ = try await server.call(
        TestRequest.admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": try #require(guest["localId"]), "disableUser": true]
        ).with { _ in })
      let reply = try await signIn(server, Self.ann, ["idToken": try #require(guest["idToken"])])
      #expect(reply.error == "USER_DISABLED")
    }
  }

  @Test func `another account's number is answered with a temporary proof`() async throws {
    try await TestServer.with { server in
      let ann = try await signIn(server)
      let token = try await guest(server)
      let reply = try await signIn(server, Self.ann, ["idToken": token])
      #expect(reply.status == 200)
      #expect(reply["idToken"] == nil)
      #expect(reply["phoneNumber"] == Self.ann)
      #expect(reply["temporaryProofExpiresIn"] == "600")
      let proof = try #require(reply["temporaryProof"])
      let refused = try await server.call(
        .accounts(
          "signInWithPhoneNumber",
          ["idToken": token, "phoneNumber": Self.ann, "temporaryProof": proof]))
      #expect(refused.error == "PHONE_NUMBER_EXISTS")
      let other = try await server.call(
        .accounts(
          "signInWithPhoneNumber", ["phoneNumber": Self.bob, "temporaryProof": proof]))
      #expect(other.error == "INVALID_TEMPORARY_PROOF")
      let signedIn = try await server.call(
        .accounts(
          "signInWithPhoneNumber", ["phoneNumber": Self.ann, "temporaryProof": proof]))
      #expect(signedIn["localId"] == ann["localId"])
    }
  }

  @Test func `an address and a password can be added to an account with a number`() async throws {
    try await TestServer.with { server in
      let ann = try await signIn(server)
      let reply = try await server.call(
        .accounts(
          "signUp",
          [
            "idToken": try #require(ann["idToken"]), "email": "ann@example.com",
            "password": "notasecret",
          ]))
      #expect(reply["localId"] == ann["localId"])
      #expect(
        reply.claims()["firebase"]?["identities"] == [
          "email": ["ann@example.com"], "phone": [Self.ann],
        ])
    }
  }

  @Test func `a client can remove its number, but can't set one without a code`() async throws {
    try await TestServer.with { server in
      let ann = try await signIn(server)
      let token = try #require(ann["idToken"])
      let unchanged = try await server.call(
        .accounts("update", ["idToken": token, "phoneNumber": Self.bob]))
      #expect(unchanged.error == "OPERATION_NOT_ALLOWED : A phone number is set by its code.")
      let removed = try await server.call(
        .accounts("update", ["idToken": token, "deleteProvider": ["phone"]]))
      #expect(removed.status == 200)
      #expect(removed["providerUserInfo"] == nil)
      let found = try await server.call(.accounts("lookup", ["idToken": token]))
      #expect(found["users"]?.array?.first?["phoneNumber"] == nil)
    }
  }

  @Test func `a project that asks for consent names the number`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        TestRequest.admin(
          .patch, "v2/projects/demo/config", ["linkConsent": "anonymized"]
        ).with { _ in })
      let apple = try await server.call(
        FakeProviders.signIn(
          "apple.com",
          try FakeProviders.token(
            "apple.com",
            ["sub": "a-1", "email": "r@privaterelay.appleid.com", "is_private_email": true])))
      let token = try #require(apple["idToken"])
      let sent = try await send(server)
      var body: JSONObject = [
        "sessionInfo": sent.sessionInfo, "code": sent.code, "idToken": token,
      ]
      let asked = try await server.call(.accounts("signInWithPhoneNumber", .object(body)))
      #expect(asked.error?.hasPrefix("CONSENT_REQUIRED") == true)
      #expect(asked["error"]?["consentRequired"]?["joins"] == ["apple.com", "phone"])
      body["consent"] = ["version": "1", "joins": ["apple.com", "phone"]]
      let linked = try await server.call(.accounts("signInWithPhoneNumber", .object(body)))
      #expect(linked["localId"] == apple["localId"])
    }
  }

  // MARK: Administrators

  @Test func `an administrator creates, finds and clears a number`() async throws {
    try await TestServer.with { server in
      let path = "v1/projects/demo/accounts"
      let made = try await server.call(
        TestRequest.admin(.post, path, ["phoneNumber": Self.ann, "displayName": "Ann"])
          .with { _ in })
      let signedIn = try await signIn(server)
      #expect(signedIn["localId"] == made["localId"])
      #expect(signedIn["isNewUser"] == false)
      let localID = try #require(made["localId"])
      _ = try await server.call(
        TestRequest.admin(
          .post, path + ":update", ["localId": localID, "deleteProvider": ["phone"]]
        ).with { _ in })
      let found = try await server.call(
        TestRequest.admin(.post, path + ":lookup", ["phoneNumber": [Self.ann]]).with { _ in })
      #expect(found["users"] == nil)
    }
  }

  @Test func `only an administrator sets test numbers, each with six digits`() async throws {
    try await TestServer.with { server in
      let path = "v2/projects/demo/config"
      let config = { (numbers: JSONValue) in
        TestRequest.admin(
          .patch, path, ["signIn": ["phoneNumber": ["testPhoneNumbers": numbers]]]
        ).with { $0.query = "updateMask=signIn.phoneNumber.testPhoneNumbers" }
      }
      // A number for a text, as in Google's service.
      let set = try await server.call(config(["+1 555-555-0100": 123456]))
      #expect(
        set["signIn"]?["phoneNumber"] == [
          "enabled": true, "testPhoneNumbers": ["+15555550100": "123456"],
        ])
      let sent = try await send(server)
      #expect(sent.code == "123456")
      let many = JSONObject(
        (10..<21).map { JSONObject.Member(name: "+155555501\($0)", value: "123456") })
      for (numbers, code) in [
        (["5555550100": "123456"] as JSONValue, "INVALID_PHONE_NUMBER"),
        (["+15555550100": "12345"], "INVALID_TESTING_PHONE_NUMBER"),
        (["+15555550100": "123456", "+1 555 555 0100": "654321"], "INVALID_TESTING_PHONE_NUMBER"),
        (["+15555550100": "abcdef"], "INVALID_TESTING_PHONE_NUMBER"),
        (.object(many), "INVALID_CONFIG"),
      ] {
        let refused = try await server.call(config(numbers))
        #expect(refused.status == 400)
        #expect(refused.error?.hasPrefix(code) == true)
      }
      let cleared = try await server.call(config([:]))
      #expect(cleared["signIn"]?["phoneNumber"]?["testPhoneNumbers"] == [:])
    }
  }

  @Test func `a viewer sees the test numbers without their codes`() async throws {
    try await TestServer.with { server in
      let demo = try #require(ProjectID("demo"))
      let path = "v2/projects/demo/config"
      _ = try await server.call(
        TestRequest.admin(
          .patch, path,
          ["signIn": ["phoneNumber": ["testPhoneNumbers": ["+15555550100": "123456"]]]]
        ).with { $0.query = "updateMask=signIn.phoneNumber.testPhoneNumbers" })
      for (role, shown) in [(AdministratorRole.administrator, "123456"), (.viewer, "******")] {
        let (key, _) = try await server.services.adminKeys.create(
          for: demo, role: role, expiresAt: nil, now: TestServer.start)
        let read = try await server.call(
          TestRequest.admin(.get, path).with { $0.bearer = key.reveal() })
        #expect(read.status == 200)
        #expect(
          read["signIn"]?["phoneNumber"]?["testPhoneNumbers"] == ["+15555550100": .string(shown)])
      }
    }
  }

  // MARK: Production

  @Test func `in production nothing is listed, and nothing is sent without a webhook`()
    async throws
  {
    try await TestServer.with(.production) { server in
      let id = try #require(ProjectID("demo"))
      var policies = ProjectPolicies()
      policies.phone.isEnabled = true
      policies.phone.allowedPrefixes = ["+1"]
      let project = Project(
        id: id, number: 1, issuer: "https://auth.example.com/demo", authorizedDomains: [],
        policies: policies)
      try await server.store.write { transaction in
        try transaction.save(project)
        try transaction.insert(APIKey(text: "any-key", project: id))
      }
      let request = TestRequest.accounts("sendVerificationCode", ["phoneNumber": Self.ann])
      let refused = try await server.call(request)
      #expect(
        refused.error
          == "OPERATION_NOT_ALLOWED : This project can't send text messages: it has no webhook.")
      try await server.store.write {
        try $0.save(CodeWebhook(url: "https://sms.example.com", secret: .random()), of: id)
      }
      #expect(try await server.call(request).status == 200)
      #expect(try await codes(server).isEmpty)
      let stored = try await server.store.read { try $0.phoneVerifications(limit: 9, in: id) }
      #expect(stored.count == 1 && stored.first?.revealed == nil)
      let abroad = try await server.call(
        .accounts("sendVerificationCode", ["phoneNumber": "+4915555550100"]))
      #expect(
        abroad.error
          == "OPERATION_NOT_ALLOWED : This project sends no messages to numbers of this region.")
    }
  }

  @Test func `at a limit a client is told which one it is`() async throws {
    try await TestServer.with { server in
      let id = try #require(ProjectID(TestServer.project))
      _ = try await send(server)
      _ = try await server.services.projects.updateProject(id) {
        $0.policies.phone.messagesPerNumber = 1
        $0.policies.phone.messagesPerDay = 1
      }
      let again = try await server.call(
        .accounts("sendVerificationCode", ["phoneNumber": Self.ann]))
      #expect(again.error == "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later.")
      let other = try await server.call(
        .accounts("sendVerificationCode", ["phoneNumber": "+4915555550100"]))
      #expect(other.error == "QUOTA_EXCEEDED : Exceeded quota for sending text messages.")
    }
  }
}
