import Foundation
import GatehouseAuth
import GatehouseClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct MultiFactorTests {
  private static let pending = #"""
    {"localId":"ann@example.com","email":"ann@example.com","mfaPendingCredential":"pending-1",
     "mfaInfo":[{"mfaEnrollmentId":"t1","displayName":"Authenticator","totpInfo":{},
                 "enrolledAt":"2026-01-02T03:04:05.006Z"},
                {"mfaEnrollmentId":"p1","phoneInfo":"+*******0100",
                 "enrolledAt":"2026-01-02T03:04:05.006Z"}],"recoveryCodesLeft":7}
    """#

  private static func session(_ number: Int, _ test: TestApp, more: String = "") -> String {
    let token = ScriptedServer.token("ann@example.com", number: 100 + number, at: test.clock.now)
    return #"{"idToken":"\#(token)","refreshToken":"ann@example.com"\#(more)}"#
  }

  /// The resolver of an error with 17078.
  private func resolver(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws -> MultiFactorResolver {
    let error = try #require(await authError(body), sourceLocation: sourceLocation)
    #expect(error.code == 17078, sourceLocation: sourceLocation)
    #expect(error.userInfo[AuthErrors.userInfoNameKey] as? String == "ERROR_SECOND_FACTOR_REQUIRED")
    return try #require(
      error.userInfo[AuthErrors.userInfoMultiFactorResolverKey] as? MultiFactorResolver,
      sourceLocation: sourceLocation)
  }

  // MARK: Signing in

  @Test func `a sign-in that needs a second factor throws its resolver`() async throws {
    let test = try TestApp()
    test.server.next("accounts:signInWithPassword", Self.pending)
    let resolver = try await resolver {
      try await test.auth.signIn(withEmail: "ann@example.com", password: "secret-1")
    }
    #expect(test.auth.currentUser == nil)
    #expect(resolver.auth === test.auth)
    #expect(resolver.hints.map(\.uid) == ["t1", "p1"])
    #expect(resolver.hints.map(\.factorID) == ["totp", "phone"])
    #expect(resolver.hints[0].displayName == "Authenticator")
    #expect(
      resolver.hints[0].enrollmentDate == Date(timeIntervalSince1970: 1_767_323_045.006))
    #expect((resolver.hints[1] as? PhoneMultiFactorInfo)?.phoneNumber == "+*******0100")
    #expect(resolver.recoveryCodesLeft == 7)
    test.server.next("mfaSignIn:finalize", Self.session(1, test))
    let result = try await resolver.resolveSignIn(
      with: TOTPMultiFactorGenerator.assertionForSignIn(
        withEnrollmentID: "t1", oneTimePassword: "123456"))
    #expect(result.user.uid == "ann@example.com")
    #expect(test.auth.currentUser === result.user)
    let sent = try #require(test.server.last("mfaSignIn:finalize"))
    #expect(sent["mfaPendingCredential"] == "pending-1")
    #expect(sent["mfaEnrollmentId"] == "t1")
    #expect(sent.text.contains(#""totpVerificationInfo":{"verificationCode":"123456"}"#))
  }

  @Test func `a code by text message, by completion handlers`() async throws {
    let test = try TestApp()
    test.server.next("accounts:signInWithIdp", Self.pending)
    let resolver = try await resolver {
      try await test.auth.signIn(
        with: OAuthProvider.credential(
          providerID: .apple, idToken: "t", rawNonce: "n", accessToken: nil))
    }
    test.server.next("mfaSignIn:start", #"{"phoneResponseInfo":{"sessionInfo":"session"}}"#)
    let hint = try #require(resolver.hints[1] as? PhoneMultiFactorInfo)
    let phone = PhoneAuthProvider.provider(auth: test.auth)
    let id: String? = await withCheckedContinuation { continuation in
      phone.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session) { id, error in
        #expect(error == nil)
        continuation.resume(returning: id)
      }
    }
    let started = try #require(test.server.last("mfaSignIn:start"))
    #expect(started["mfaEnrollmentId"] == "p1")
    test.server.next("mfaSignIn:finalize", Self.session(1, test))
    let credential = phone.credential(
      withVerificationID: try #require(id), verificationCode: "123456")
    let uid: String? = await withCheckedContinuation { continuation in
      resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential)) {
        result, error in
        #expect(error == nil)
        continuation.resume(returning: result?.user.uid)
      }
    }
    #expect(uid == "ann@example.com")
    #expect(
      test.server.last("mfaSignIn:finalize")?.text.contains(
        #""phoneVerificationInfo":{"sessionInfo":"session","code":"123456"}"#) == true)
  }

  @Test func `a recovery code`() async throws {
    let test = try TestApp()
    test.server.next("accounts:signInWithPassword", Self.pending)
    let resolver = try await resolver { _ = try await test.signedIn() }
    test.server.refuse("mfaSignIn:finalize", "INVALID_RECOVERY_CODE")
    let error = await authError { try await resolver.resolveSignIn(withRecoveryCode: "wrong") }
    #expect(error?.authCode == .internalError)
    test.server.next("mfaSignIn:finalize", Self.session(1, test))
    try await resolver.resolveSignIn(withRecoveryCode: "k7f2-m9qd-x4tw")
    #expect(test.auth.currentUser != nil)
  }

  @Test(arguments: [
    ("INVALID_CODE", AuthErrorCode.invalidVerificationCode),
    ("INVALID_MFA_PENDING_CREDENTIAL", .invalidMultiFactorSession),
    ("MFA_ENROLLMENT_NOT_FOUND", .multiFactorInfoNotFound),
    ("MISSING_MFA_ENROLLMENT_ID", .missingMultiFactorInfo),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", .tooManyRequests),
  ])
  func `a refused second factor`(_ refusal: String, _ code: AuthErrorCode) async throws {
    let test = try TestApp()
    test.server.next("accounts:signInWithPassword", Self.pending)
    let resolver = try await resolver { _ = try await test.signedIn() }
    test.server.refuse("mfaSignIn:finalize", refusal)
    let error = await authError {
      _ = try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: "t1", oneTimePassword: "123456"))
    }
    #expect(error?.authCode == code)
    #expect(test.auth.currentUser == nil)
  }

  @Test func `a re-authentication keeps its user`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.next("accounts:signInWithPassword", Self.pending)
    let resolver = try await resolver {
      try await user.reauthenticate(
        with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "secret-1"))
    }
    test.server.next("mfaSignIn:finalize", Self.session(1, test))
    let result = try await resolver.resolveSignIn(
      with: TOTPMultiFactorGenerator.assertionForSignIn(
        withEnrollmentID: "t1", oneTimePassword: "123456"))
    #expect(result.user === user)
    #expect(test.auth.currentUser === user)
  }

  @Test func `a project that requires a factor lets the user add it`() async throws {
    let test = try TestApp()
    test.server.next(
      "accounts:signInWithPassword",
      #"{"mfaPendingCredential":"pending-1","mfaInfo":[],"mfaEnrollmentRequired":true}"#)
    let resolver = try await resolver { _ = try await test.signedIn() }
    #expect(resolver.isEnrollmentRequired)
    #expect(resolver.hints.isEmpty)
    test.server.next("mfaEnrollment:start", #"{"phoneSessionInfo":{"sessionInfo":"session"}}"#)
    let phone = PhoneAuthProvider.provider(auth: test.auth)
    let id = try await phone.verifyPhoneNumber(
      "+15555550100", multiFactorSession: resolver.session)
    let started = try #require(test.server.last("mfaEnrollment:start"))
    #expect(started["mfaPendingCredential"] == "pending-1")
    #expect(started["idToken"] == nil)
    test.server.next(
      "mfaEnrollment:finalize", Self.session(1, test, more: #","phoneAuthInfo":{}"#))
    let result = try await resolver.resolveSignIn(
      with: PhoneMultiFactorGenerator.assertion(
        with: phone.credential(withVerificationID: id, verificationCode: "123456")))
    #expect(test.auth.currentUser === result.user)
  }

  // MARK: Adding and removing factors

  @Test func `a user adds an authenticator app, and removes it`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    #expect(user.multiFactor.enrolledFactors.isEmpty)
    test.server.next(
      "mfaEnrollment:start",
      #"{"totpSessionInfo":{"sharedSecretKey":"JBSWY3DPEHPK3PXP","sessionInfo":"s"}}"#)
    let secret = try await TOTPMultiFactorGenerator.generateSecret(
      with: try await user.multiFactor.session())
    #expect(secret.sharedSecretKey() == "JBSWY3DPEHPK3PXP")
    #expect(
      secret.generateQRCodeURL(withAccountName: "ann@example.com", issuer: "App")
        == "otpauth://totp/App:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=App"
        + "&algorithm=SHA1&digits=6&period=30")
    test.server.next(
      "mfaEnrollment:finalize",
      Self.session(1, test, more: #","totpAuthInfo":{},"recoveryCodes":["k7f2-m9qd-x4tw"]"#))
    test.server.setProfile(
      "ann@example.com",
      ["mfaInfo": #"[{"mfaEnrollmentId":"t1","displayName":"Mine","totpInfo":{}}]"#])
    let codes = try await user.multiFactor.enrollReturningRecoveryCodes(
      with: TOTPMultiFactorGenerator.assertionForEnrollment(
        with: secret, oneTimePassword: "123456"), displayName: "Mine")
    #expect(codes == ["k7f2-m9qd-x4tw"])
    let info = try #require(user.multiFactor.enrolledFactors.first)
    #expect(info is TOTPMultiFactorInfo)
    #expect(info.uid == "t1")
    #expect(test.server.last("mfaEnrollment:finalize")?["displayName"] == "Mine")
    test.server.next("mfaEnrollment:withdraw", Self.session(2, test))
    test.server.setProfile("ann@example.com", ["mfaInfo": "[]"])
    try await user.multiFactor.unenroll(with: info)
    #expect(test.server.last("mfaEnrollment:withdraw")?["mfaEnrollmentId"] == "t1")
    #expect(user.multiFactor.enrolledFactors.isEmpty)
    #expect(test.auth.currentUser === user)
  }

  @Test func `a user adds a phone, by completion handlers`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let session: MultiFactorSession? = await withCheckedContinuation { continuation in
      user.multiFactor.getSessionWithCompletion { session, _ in
        continuation.resume(returning: session)
      }
    }
    test.server.next("mfaEnrollment:start", #"{"phoneSessionInfo":{"sessionInfo":"session"}}"#)
    let phone = PhoneAuthProvider.provider(auth: test.auth)
    let id: String? = await withCheckedContinuation { continuation in
      phone.verifyPhoneNumber("+15555550100", multiFactorSession: session) { id, error in
        MainActor.assertIsolated()
        #expect(error == nil)
        continuation.resume(returning: id)
      }
    }
    test.server.next(
      "mfaEnrollment:finalize", Self.session(1, test, more: #","phoneAuthInfo":{}"#))
    let assertion = PhoneMultiFactorGenerator.assertion(
      with: phone.credential(withVerificationID: id ?? "", verificationCode: "123456"))
    #expect(assertion.factorID == "phone")
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      user.multiFactor.enroll(with: assertion, displayName: nil) {
        continuation.resume(returning: $0)
      }
    }
    #expect(failure == nil)
    test.server.refuse("mfaEnrollment:withdraw", "MFA_ENROLLMENT_NOT_FOUND")
    let refusal: (any Error)? = await withCheckedContinuation { continuation in
      user.multiFactor.unenroll(withFactorUID: "p1") { continuation.resume(returning: $0) }
    }
    #expect((refusal as? AuthErrorCode)?.code == .multiFactorInfoNotFound)
  }

  @Test(arguments: [
    ("UNVERIFIED_EMAIL", AuthErrorCode.unverifiedEmail),
    ("SECOND_FACTOR_EXISTS", .secondFactorAlreadyEnrolled),
    ("SECOND_FACTOR_LIMIT_EXCEEDED", .maximumSecondFactorCountExceeded),
    ("UNSUPPORTED_FIRST_FACTOR", .unsupportedFirstFactor),
    ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .requiresRecentLogin),
    ("INVALID_MFA_PHONE_NUMBER", .invalidPhoneNumber),
    ("OPERATION_NOT_ALLOWED", .operationNotAllowed),
  ])
  func `a refused enrollment`(_ refusal: String, _ code: AuthErrorCode) async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let session = try await user.multiFactor.session()
    test.server.refuse("mfaEnrollment:start", refusal)
    let error = await authError {
      _ = try await PhoneAuthProvider.provider(auth: test.auth).verifyPhoneNumber(
        "+15555550100", multiFactorSession: session)
    }
    #expect(error?.authCode == code)
    #expect(test.auth.currentUser === user)
  }

  @Test func `what belongs elsewhere is refused before a request`() async throws {
    let test = try TestApp()
    test.server.next("accounts:signInWithPassword", Self.pending)
    let resolver = try await resolver { _ = try await test.signedIn() }
    let user = try await test.signedIn()
    let own = try await user.multiFactor.session()
    let phone = PhoneAuthProvider.provider(auth: test.auth)
    let hint = try #require(resolver.hints[1] as? PhoneMultiFactorInfo)
    let count = test.server.calls.count
    func refused(
      _ code: AuthErrorCode, sourceLocation: SourceLocation = #_sourceLocation,
      _ body: () async throws -> Void
    ) async {
      #expect(await authError(body)?.authCode == code, sourceLocation: sourceLocation)
    }
    await refused(.missingMultiFactorInfo) {
      _ = try await phone.verifyPhoneNumber("+15555550100", multiFactorSession: resolver.session)
    }
    await refused(.missingMultiFactorSession) {
      _ = try await phone.verifyPhoneNumber(with: hint, multiFactorSession: nil)
    }
    await refused(.invalidMultiFactorSession) {
      _ = try await phone.verifyPhoneNumber(with: hint, multiFactorSession: own)
    }
    await refused(.internalError) {
      _ = try await TOTPMultiFactorGenerator.generateSecret(with: resolver.session)
    }
    let ofSignIn = TOTPMultiFactorGenerator.assertionForSignIn(
      withEnrollmentID: "t1", oneTimePassword: "123456")
    await refused(.internalError) {
      try await user.multiFactor.enroll(with: ofSignIn, displayName: nil)
    }
    await refused(.missingVerificationCode) {
      _ = try await resolver.resolveSignIn(
        with: TOTPMultiFactorGenerator.assertionForSignIn(
          withEnrollmentID: "t1", oneTimePassword: ""))
    }
    #expect(test.server.calls.count == count)
  }

  @Test func `recovery codes are created`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.next("recoveryCodes:create", #"{"recoveryCodes":["k7f2-m9qd-x4tw"]}"#)
    #expect(try await user.multiFactor.createRecoveryCodes() == ["k7f2-m9qd-x4tw"])
    #expect(user.multiFactor.recoveryCodesLeft == 1)
  }

  @Test func `the factors can be archived`() async throws {
    let test = try TestApp()
    test.server.setProfile(
      "ann@example.com",
      [
        "mfaInfo":
          #"[{"mfaEnrollmentId":"t1","totpInfo":{}},{"mfaEnrollmentId":"p1","phoneInfo":"+1***00"}]"#
      ])
    let user = try await test.signedIn()
    let read = try archived(user.multiFactor)
    #expect(read.enrolledFactors.map(\.uid) == ["t1", "p1"])
    #expect(read.enrolledFactors[0] is TOTPMultiFactorInfo)
    #expect((read.enrolledFactors[1] as? PhoneMultiFactorInfo)?.phoneNumber == "+1***00")
    #expect(await authError { _ = try await read.session() }?.authCode == .nullUser)
    let info = PhoneMultiFactorInfo(
      uid: "1", displayName: "My phone", enrollmentDate: Date(timeIntervalSince1970: 1),
      phoneNumber: "+1***00")
    let again = try archived(info)
    #expect(again.uid == "1")
    #expect(again.displayName == "My phone")
    #expect(again.enrollmentDate == Date(timeIntervalSince1970: 1))
    #expect(again.factorID == "phone")
    #expect(again.phoneNumber == "+1***00")
  }
}
