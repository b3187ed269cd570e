import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// `v2/accounts/mfaEnrollment`, `mfaSignIn` and `recoveryCodes`: what a client sees. The messages of errors are
/// those of Google's emulator.
@Suite struct SecondFactorEndpointTests {
  private static let number: JSONValue = "+15555550100"
  private static let ann: JSONValue = ["email": "ann@example.com", "password": "notasecret"]

  private func v2(_ method: String, _ body: JSONValue) -> TestRequest {
    TestRequest("/v2/accounts/\(method)", body)
  }

  /// The ID token of a new account with a verified address.
  private func verified(_ server: TestServer) async throws -> JSONValue {
    let reply = try await server.call(.accounts("signUp", Self.ann))
    _ = try await server.call(
      .admin(
        .post, "v1/projects/demo/accounts:update",
        ["localId": try #require(reply["localId"]), "emailVerified": true]))
    return try #require(reply["idToken"])
  }

  private func code(_ server: TestServer, _ sessionInfo: JSONValue?) async throws -> JSONValue {
    let reply = try await server.call(
      TestRequest("/emulator/v1/projects/demo/verificationCodes").with {
        $0.method = .get
        $0.key = nil
      })
    let codes = reply["verificationCodes"]?.array ?? []
    return try #require(codes.first { $0["sessionInfo"] == sessionInfo }?["code"])
  }

  private func enrollPhone(
    _ server: TestServer, _ idToken: JSONValue
  ) async throws -> TestReply {
    let start = try await server.call(
      v2(
        "mfaEnrollment:start",
        ["idToken": idToken, "phoneEnrollmentInfo": ["phoneNumber": Self.number]]))
    let session = try #require(start["phoneSessionInfo"]?["sessionInfo"])
    return try await server.call(
      v2(
        "mfaEnrollment:finalize",
        [
          "idToken": idToken, "displayName": "Work",
          "phoneVerificationInfo": [
            "sessionInfo": session, "code": try await code(server, session),
          ],
        ]))
  }

  @Test func `an authenticator app is enrolled and asked for`() async throws {
    try await TestServer.with { server in
      let idToken = try await verified(server)
      let start = try await server.call(
        v2("mfaEnrollment:start", ["idToken": idToken, "totpEnrollmentInfo": [:]]))
      let session = try #require(start["totpSessionInfo"])
      #expect(session["verificationCodeLength"] == 6)
      #expect(session["periodSec"] == 30)
      #expect(session["hashingAlgorithm"] == "SHA1")
      #expect(session["sharedSecretKey"]?.string?.utf8.count == 32)
      #expect(session["finalizeEnrollmentTime"]?.string?.hasSuffix("Z") == true)
      let totp = try #require(TOTP(base32: session["sharedSecretKey"]?.string ?? ""))
      let now = { JSONValue.string(totp.code(at: TOTP.step(at: server.clock.now))) }
      let enrolled = try await server.call(
        v2(
          "mfaEnrollment:finalize",
          [
            "idToken": idToken, "displayName": "Phone",
            "totpVerificationInfo": [
              "sessionInfo": try #require(session["sessionInfo"]), "verificationCode": now(),
            ],
          ]))
      #expect(enrolled.status == 200)
      #expect(enrolled["totpAuthInfo"] == [:])
      #expect(enrolled["recoveryCodes"]?.array?.count == 10)
      let firebase = enrolled.claims()["firebase"]
      #expect(firebase?["sign_in_second_factor"] == "totp")

      server.clock.advance(seconds: 30)
      let first = try await server.call(.accounts("signInWithPassword", Self.ann))
      #expect(first.status == 200)
      #expect(first["idToken"] == nil && first["refreshToken"] == nil)
      #expect(first["recoveryCodesLeft"] == 10)
      let factor = try #require(first["mfaInfo"]?.array?.first)
      #expect(factor["totpInfo"] == [:])
      #expect(factor["displayName"] == "Phone")
      #expect(
        try /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
          .wholeMatch(in: factor["enrolledAt"]?.string ?? "") != nil)
      #expect(factor["mfaEnrollmentId"] == firebase?["second_factor_identifier"])
      let second = try await server.call(
        v2(
          "mfaSignIn:finalize",
          [
            "mfaPendingCredential": try #require(first["mfaPendingCredential"]),
            "mfaEnrollmentId": try #require(factor["mfaEnrollmentId"]),
            "totpVerificationInfo": ["verificationCode": now()],
          ]))
      #expect(second.status == 200)
      #expect(second["refreshToken"]?.string != nil)
      #expect(second.claims()["firebase"]?["sign_in_second_factor"] == "totp")
      let refreshed = try await server.call(
        TestRequest(
          "/v1/token",
          ["grant_type": "refresh_token", "refresh_token": try #require(second["refreshToken"])]))
      #expect(refreshed.claims("id_token")["firebase"]?["sign_in_second_factor"] == "totp")
    }
  }

  @Test func `a number is obfuscated until its user has shown it`() async throws {
    try await TestServer.with { server in
      let enrolled = try await enrollPhone(server, try await verified(server))
      #expect(enrolled["phoneAuthInfo"]?["phoneNumber"] == Self.number)
      let first = try await server.call(.accounts("signInWithPassword", Self.ann))
      let factor = try #require(first["mfaInfo"]?.array?.first)
      #expect(factor["phoneInfo"] == "+*******0100")
      #expect(factor["unobfuscatedPhoneInfo"] == nil)
      let credential = try #require(first["mfaPendingCredential"])
      let start = try await server.call(
        v2(
          "mfaSignIn:start",
          [
            "mfaPendingCredential": credential,
            "mfaEnrollmentId": try #require(factor["mfaEnrollmentId"]), "phoneSignInInfo": [:],
          ]))
      let session = start["phoneResponseInfo"]?["sessionInfo"]
      let second = try await server.call(
        v2(
          "mfaSignIn:finalize",
          [
            "mfaPendingCredential": credential,
            "phoneVerificationInfo": [
              "sessionInfo": try #require(session), "code": try await code(server, session),
            ],
          ]))
      #expect(second.claims()["firebase"]?["sign_in_second_factor"] == "phone")
      let lookup = try await server.call(
        .accounts("lookup", ["idToken": try #require(second["idToken"])]))
      #expect(lookup["users"]?.array?.first?["mfaInfo"]?.array?.first?["phoneInfo"] == Self.number)
    }
  }

  @Test func `a factor that is withdrawn leaves an empty list`() async throws {
    try await TestServer.with { server in
      let enrolled = try await enrollPhone(server, try await verified(server))
      let idToken = try #require(enrolled["idToken"])
      let id = try #require(enrolled.claims()["firebase"]?["second_factor_identifier"])
      let reply = try await server.call(
        v2("mfaEnrollment:withdraw", ["idToken": idToken, "mfaEnrollmentId": id]))
      #expect(reply.status == 200)
      #expect(reply.claims()["firebase"]?["sign_in_second_factor"] == nil)
      let lookup = try await server.call(.accounts("lookup", ["idToken": idToken]))
      #expect(lookup["users"]?.array?.first?["mfaInfo"] == [])
      #expect(
        try await server.call(.accounts("signInWithPassword", Self.ann))["idToken"] != nil)
    }
  }

  @Test func `recovery codes are replaced, and one signs in`() async throws {
    try await TestServer.with { server in
      let enrolled = try await enrollPhone(server, try await verified(server))
      let reply = try await server.call(
        v2("recoveryCodes:create", ["idToken": try #require(enrolled["idToken"])]))
      let codes = try #require(reply["recoveryCodes"]?.array)
      #expect(codes.count == 10 && codes[0] != enrolled["recoveryCodes"]?.array?.first)
      let first = try await server.call(.accounts("signInWithPassword", Self.ann))
      let second = try await server.call(
        v2(
          "mfaSignIn:finalize",
          [
            "mfaPendingCredential": try #require(first["mfaPendingCredential"]),
            "recoveryCodeVerificationInfo": ["code": codes[0]],
          ]))
      #expect(second["recoveryCodesLeft"] == 9)
      #expect(second.claims()["firebase"]?["sign_in_second_factor"] == "recovery_code")
    }
  }

  @Test func `a project can require a factor, and refuses one that it doesn't offer`() async throws
  {
    try await TestServer.with { server in
      let patch = try await server.call(
        .admin(
          .patch, "v2/projects/demo/config",
          ["mfa": ["state": "MANDATORY", "enabledProviders": ["PHONE_SMS"], "providerConfigs": []]])
      )
      #expect(patch["mfa"]?["state"] == "MANDATORY")
      #expect(patch["mfa"]?["providerConfigs"]?.array?.first?["state"] == "DISABLED")
      let signUp = try await server.call(.accounts("signUp", Self.ann))
      #expect(signUp["idToken"] == nil)
      #expect(signUp["mfaEnrollmentRequired"] == true)
      #expect(signUp["mfaInfo"] == [])
      let credential = try #require(signUp["mfaPendingCredential"])
      let totp = try await server.call(
        v2(
          "mfaEnrollment:start",
          ["mfaPendingCredential": credential, "totpEnrollmentInfo": [:]]))
      #expect(totp.error == "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.")
      let start = try await server.call(
        v2(
          "mfaEnrollment:start",
          [
            "mfaPendingCredential": credential,
            "phoneEnrollmentInfo": ["phoneNumber": Self.number],
          ]))
      let session = try #require(start["phoneSessionInfo"]?["sessionInfo"])
      let enrolled = try await server.call(
        v2(
          "mfaEnrollment:finalize",
          [
            "mfaPendingCredential": credential,
            "phoneVerificationInfo": [
              "sessionInfo": session, "code": try await code(server, session),
            ],
          ]))
      #expect(enrolled["idToken"]?.string != nil)
    }
  }

  @Test(
    arguments: [
      (
        ["state": "SOMETIMES"], "INVALID_CONFIG : mfa.state is one of DISABLED, ENABLED, MANDATORY."
      ),
      (
        ["enabledProviders": ["EMAIL"]],
        "INVALID_CONFIG : mfa.enabledProviders holds PHONE_SMS or nothing."
      ),
      (
        [
          "providerConfigs": [
            ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": 11]]
          ]
        ],
        "INVALID_CONFIG : mfa: adjacentIntervals: 11 is not from 0 to 10."
      ),
      (
        ["state": "MANDATORY", "enabledProviders": [], "providerConfigs": []],
        "INVALID_CONFIG : mfa: isRequired: no second factor is offered."
      ),
      (
        ["requiredFrom": "tomorrow"],
        "INVALID_CONFIG : mfa: requiredFrom: “tomorrow” is not a date such as 2027-06-30."
      ),
    ] as [(JSONValue, String)])
  func `a configuration with a fault is refused`(mfa: JSONValue, error: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        .admin(
          .patch, "v2/projects/demo/config", ["mfa": mfa, "passkeys": ["enabled": false]]))
      #expect(reply.error == error)
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

  static let refusals: [Row] = [
    Row("mfaEnrollment:start", ["phoneEnrollmentInfo": [:]], "MISSING_ID_TOKEN"),
    Row(
      "mfaEnrollment:start", ["idToken": "a.b.c", "totpEnrollmentInfo": [:]], "INVALID_ID_TOKEN"),
    Row(
      "mfaEnrollment:start", ["mfaPendingCredential": "made-up", "totpEnrollmentInfo": [:]],
      "INVALID_MFA_PENDING_CREDENTIAL"),
    Row("mfaEnrollment:finalize", ["totpVerificationInfo": [:]], "MISSING_ID_TOKEN"),
    Row("mfaEnrollment:finalize", ["idToken": "x", "totpVerificationInfo": [:]], "MISSING_CODE"),
    Row(
      "mfaEnrollment:finalize",
      ["idToken": "x", "totpVerificationInfo": ["verificationCode": "123456"]],
      "MISSING_SESSION_INFO"),
    Row("mfaEnrollment:withdraw", [:], "MISSING_ID_TOKEN"),
    Row(
      "mfaSignIn:start", [:],
      "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential."),
    Row(
      "mfaSignIn:start", ["mfaPendingCredential": "made-up"],
      "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."),
    Row(
      "mfaSignIn:start", ["mfaPendingCredential": "made-up", "mfaEnrollmentId": "x"],
      "INVALID_MFA_PENDING_CREDENTIAL"),
    Row("mfaSignIn:finalize", [:], "MISSING_CREDENTIAL : Please set MFA Pending Credential."),
    Row(
      "mfaSignIn:finalize", ["mfaPendingCredential": "x"],
      "INVALID_ARGUMENT : MFA provider not supported!"),
    Row(
      "mfaSignIn:finalize",
      ["mfaPendingCredential": "x", "totpVerificationInfo": ["verificationCode": "123456"]],
      "INVALID_MFA_PENDING_CREDENTIAL"),
    Row("recoveryCodes:create", [:], "MISSING_ID_TOKEN"),
    Row("recoveryCodes:create", ["idToken": "a.b.c"], "INVALID_ID_TOKEN"),
    Row("mfaSignIn:finalize", ["tenantId": "t"], "UNSUPPORTED_TENANT_OPERATION"),
  ]

  @Test(arguments: refusals) func `each refusal has its code`(_ row: Row) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(v2(row.method, row.body))
      #expect(reply.error == row.error)
      #expect(reply.status == 400)
    }
  }

  // MARK: Administrators

  private func update(
    _ server: TestServer, _ id: JSONValue, _ enrollments: JSONValue
  ) async throws -> TestReply {
    try await server.call(
      .admin(
        .post, "v1/projects/demo/accounts:update",
        ["localId": id, "mfa": ["enrollments": enrollments]]))
  }

  private func factors(_ server: TestServer, _ id: JSONValue) async throws -> JSONValue? {
    try await server.call(
      .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": [id]]))["users"]?.array?.first?[
        "mfaInfo"]
  }

  @Test func `an administrator gives a new account numbers, each once`() async throws {
    try await TestServer.with { server in
      let phone: JSONValue = ["phoneInfo": Self.number, "displayName": "Cell"]
      let created = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", ["mfaInfo": [phone, phone]]))
      let id = try #require(created["localId"])
      let list = try await factors(server, id)?.array
      #expect(list?.count == 1)
      #expect(list?[0]["phoneInfo"] == Self.number)
      #expect(list?[0]["unobfuscatedPhoneInfo"] == Self.number)
      #expect(list?[0]["mfaEnrollmentId"]?.string?.isEmpty == false)
    }
  }

  @Test func `an administrator changes the list, and removes it`() async throws {
    try await TestServer.with { server in
      let id = try #require(
        try await server.call(.admin(.post, "v1/projects/demo/accounts", [:]))["localId"])
      let phone: JSONValue = ["phoneInfo": Self.number, "mfaEnrollmentId": "first"]
      #expect(try await update(server, id, [phone]).status == 200)
      #expect(try await factors(server, id)?.array?.first?["mfaEnrollmentId"] == "first")
      #expect(try await update(server, id, []).status == 200)
      #expect(try await factors(server, id) == nil)
    }
  }

  @Test(
    arguments: [
      (
        [["phoneInfo": "+15555550100"]],
        "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
      ),
      (
        [["phoneInfo": "5555550100", "mfaEnrollmentId": "x"]],
        "INVALID_MFA_PHONE_NUMBER : Invalid format."
      ),
      ([["mfaEnrollmentId": "x"]], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
      (
        [
          ["phoneInfo": "+15555550100", "mfaEnrollmentId": "x"],
          ["phoneInfo": "+15555550101", "mfaEnrollmentId": "x"],
        ], "DUPLICATE_MFA_ENROLLMENT_ID"
      ),
      ([["totpInfo": [:], "mfaEnrollmentId": "x"]], "MFA_ENROLLMENT_NOT_FOUND"),
    ] as [(JSONValue, String)])
  func `an administrator's list with a fault is refused`(
    list: JSONValue, error: String
  ) async throws {
    try await TestServer.with { server in
      let id = try #require(
        try await server.call(.admin(.post, "v1/projects/demo/accounts", [:]))["localId"])
      #expect(try await update(server, id, list).error == error)
    }
  }

  @Test func `a user doesn't set factors without their codes`() async throws {
    try await TestServer.with { server in
      let idToken = try await verified(server)
      let reply = try await server.call(
        .accounts("update", ["idToken": idToken, "mfa": ["enrollments": []]]))
      #expect(reply.error == "OPERATION_NOT_ALLOWED : Only an administrator sets mfa.")
    }
  }
}

extension TOTP {
  /// As an authenticator app reads the secret.
  init?(base32 text: String) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (bytes, buffer, bits) = ([UInt8](), 0, 0)
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      buffer = buffer << 5 | value
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    self.init(secret: Secret(bytes))
  }
}
