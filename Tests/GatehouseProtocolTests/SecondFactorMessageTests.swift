import GatehouseProtocol
import Testing

/// What one side writes about second factors, the other reads.
@Suite struct SecondFactorMessageTests {
  private func again<Message: WireMessage>(_ message: Message) throws -> String {
    let fields = WireFields(try JSONObject(parsing: message.json()))
    return String(decoding: try Message(fields).json(), as: UTF8.self)
  }

  private func text(_ message: some WireResponse) -> String {
    String(decoding: message.json(), as: UTF8.self)
  }

  private static let tokens = SessionTokens(
    idToken: "a.b.c", refreshToken: "r", expiresInSeconds: 3600)

  private static var phone: MFAEnrollment {
    var phone = MFAEnrollment(enrollmentID: "p1")
    phone.displayName = "Private"
    phone.phoneInfo = "+*******1234"
    phone.enrolledAt = "2026-01-02T03:04:05.006Z"
    return phone
  }

  private static var pending: PendingSecondFactor {
    var totp = MFAEnrollment(enrollmentID: "t1")
    totp.isTOTP = true
    var pending = PendingSecondFactor(credential: "c", factors: [phone, totp])
    pending.recoveryCodesLeft = 7
    pending.isPasskeyAvailable = true
    return pending
  }

  @Test func `a first factor's answer without tokens`() throws {
    let outcome = FirstFactorOutcome.secondFactorNeeded(Self.pending)
    #expect(
      text(outcome) == #"{"mfaPendingCredential":"c","mfaInfo":[{"mfaEnrollmentId":"p1","#
        + #""displayName":"Private","phoneInfo":"+*******1234","#
        + #""enrolledAt":"2026-01-02T03:04:05.006Z"},{"mfaEnrollmentId":"t1","totpInfo":{}}],"#
        + #""recoveryCodesLeft":7,"passkeyAvailable":true}"#)
    #expect(try again(outcome) == text(outcome))
    var required = PendingSecondFactor(credential: "c", factors: [])
    required.isEnrollmentRequired = true
    #expect(
      text(required) == #"{"mfaPendingCredential":"c","mfaInfo":[],"mfaEnrollmentRequired":true}"#)
    #expect(try again(required) == text(required))
    #expect(try again(FirstFactorOutcome.signedIn(Self.tokens)) == text(Self.tokens))
    #expect(throws: WireError(field: "idToken", wanted: .string)) {
      try FirstFactorOutcome(WireFields(["localId": "u1"]))
    }
  }

  @Test func `the answer of each first factor`() throws {
    var custom = SignInWithCustomTokenResponse(isNewUser: false)
    custom.secondFactor = Self.pending
    #expect(try again(custom) == text(custom))
    var link = SignInWithEmailLinkResponse(
      localID: "u1", email: "a@example.com", isNewUser: false)
    link.secondFactor = Self.pending
    #expect(try again(link) == text(link))
    let phone = SignInWithPhoneNumberResponse(
      phoneNumber: "+4915112345678", outcome: .secondFactorNeeded(Self.pending, localID: "u1"))
    #expect(try again(phone) == text(phone))
    var idp = SignInWithIdpResponse(providerID: "google.com")
    idp.secondFactor = Self.pending
    #expect(try again(idp) == text(idp))
    var password = SignInWithPasswordResponse(localID: "u1", email: "a@example.com")
    password.secondFactor = Self.pending
    var signUp = SignUpResponse(localID: "u1")
    signUp.secondFactor = Self.pending
    for response in [password, signUp] as [any WireResponse] {
      let fields = WireFields(try JSONObject(parsing: response.json()))
      #expect(text(try FirstFactorOutcome(fields)) == text(Self.pending))
    }
  }

  @Test func `enrollment`() throws {
    for factor in [
      StartMFAEnrollmentRequest.Factor.totp, .phone(number: "+4915112345678"), .phone(number: nil),
    ] {
      var start = StartMFAEnrollmentRequest(factor: factor)
      start.idToken = "a.b.c"
      start.pendingCredential = "c"
      start.tenantID = "t"
      #expect(try again(start) == text(start))
    }
    #expect(try StartMFAEnrollmentRequest(WireFields(["idToken": "a.b.c"])).factor == nil)
    let totp = StartMFAEnrollmentResponse.totp(
      TOTPSessionInfo(
        sharedSecretKey: "JBSWY3DPEHPK3PXP", sessionInfo: "s",
        finalizeEnrollmentTime: "2026-01-02T03:04:05Z"))
    #expect(
      text(totp) == #"{"totpSessionInfo":{"sharedSecretKey":"JBSWY3DPEHPK3PXP","#
        + #""verificationCodeLength":6,"hashingAlgorithm":"SHA1","periodSec":30,"#
        + #""sessionInfo":"s","finalizeEnrollmentTime":"2026-01-02T03:04:05Z"}}"#)
    #expect(try again(totp) == text(totp))
    let phone = StartMFAEnrollmentResponse.phone(sessionInfo: "s")
    #expect(try again(phone) == text(phone))

    var info = PhoneVerificationInfo(sessionInfo: "s", code: "123456")
    info.phoneNumber = "+4915112345678"
    for verification in [
      FinalizeMFAEnrollmentRequest.Verification.phone(info),
      .totp(sessionInfo: "s", code: "123456"),
    ] {
      var finalize = FinalizeMFAEnrollmentRequest(verification: verification)
      finalize.idToken = "a.b.c"
      finalize.pendingCredential = "c"
      finalize.displayName = "Private"
      finalize.tenantID = "t"
      #expect(try again(finalize) == text(finalize))
    }
    var finalized = FinalizeMFAEnrollmentResponse(tokens: Self.tokens, factor: .totp)
    #expect(try again(finalized) == text(finalized))
    finalized.factor = .phone(number: "+4915112345678")
    finalized.recoveryCodes = ["k7f2-m9qd-x4tw"]
    #expect(try again(finalized) == text(finalized))

    var withdraw = WithdrawMFARequest(idToken: "a.b.c", enrollmentID: "t1")
    withdraw.tenantID = "t"
    #expect(try again(withdraw) == text(withdraw))
    let withdrawn = WithdrawMFAResponse(tokens: Self.tokens)
    #expect(try again(withdrawn) == text(withdrawn))
  }

  @Test func `sign-in`() throws {
    var start = StartMFASignInRequest(pendingCredential: "c", enrollmentID: "p1")
    start.tenantID = "t"
    #expect(try again(start) == text(start))
    let started = StartMFASignInResponse(sessionInfo: "s")
    #expect(text(started) == #"{"phoneResponseInfo":{"sessionInfo":"s"}}"#)
    #expect(try again(started) == text(started))
    for verification in [
      FinalizeMFASignInRequest.Verification.phone(
        PhoneVerificationInfo(sessionInfo: "s", code: "123456")),
      .totp(code: "123456"), .recoveryCode("k7f2-m9qd-x4tw"), .passkey(["id": "k"]),
    ] {
      var finalize = FinalizeMFASignInRequest(pendingCredential: "c", verification: verification)
      finalize.enrollmentID = "t1"
      finalize.tenantID = "t"
      #expect(try again(finalize) == text(finalize))
    }
    #expect(
      try FinalizeMFASignInRequest(WireFields(["mfaPendingCredential": "c"])).verification == nil)
    var finalized = FinalizeMFASignInResponse(
      tokens: Self.tokens, factor: .phone(number: "+*******1234"))
    #expect(try again(finalized) == text(finalized))
    finalized.factor = nil
    finalized.recoveryCodesLeft = 6
    #expect(try again(finalized) == text(finalized))
  }

  @Test func `recovery codes`() throws {
    let create = CreateRecoveryCodesRequest(idToken: "a.b.c")
    #expect(try again(create) == text(create))
    let created = CreateRecoveryCodesResponse(["k7f2-m9qd-x4tw"])
    #expect(try again(created) == text(created))
  }

  @Test func `the factors of an account`() throws {
    var user = UserInfo(localID: "u1")
    var phone = Self.phone
    phone.unobfuscatedPhoneInfo = "+4915112345678"
    user.mfaInfo = [phone]
    user.recoveryCodesLeft = 10
    #expect(try again(user) == text(user))
    var signUp = SignUpRequest()
    #expect(!signUp.hasSecondFactor)
    signUp.secondFactors = [Self.phone]
    #expect(try again(signUp) == text(signUp))
    #expect(signUp.hasSecondFactor)
  }

  @Test(
    arguments: [
      (#"{}"#, nil), (#"{"mfa":{}}"#, 0), (#"{"mfa":{"enrollments":null}}"#, 0),
      (#"{"mfa":{"enrollments":[{"phoneInfo":"+4915112345678"}]}}"#, 1),
    ] as [(String, Int?)])
  func `an mfa without enrollments removes all`(_ body: String, _ count: Int?) throws {
    let update = try UpdateRequest(WireFields(JSONObject(parsing: [UInt8](body.utf8))))
    #expect(update.secondFactors?.count == count)
    #expect(update.hasSecondFactor == (count == 1))
    #expect(try again(update) == text(update))
  }
}
