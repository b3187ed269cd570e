import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct SecondFactorTests {
  private static var pending: PendingSecondFactor {
    var totp = MFAEnrollment(enrollmentID: "t1")
    totp.isTOTP = true
    totp.displayName = "Authenticator"
    totp.enrolledAt = "2026-01-02T03:04:05.006Z"
    var phone = MFAEnrollment(enrollmentID: "p1")
    phone.phoneInfo = "+*******0100"
    var pending = PendingSecondFactor(
      credential: "pending-1", factors: [totp, phone, MFAEnrollment(enrollmentID: "unknown")])
    pending.recoveryCodesLeft = 7
    return pending
  }

  private static let password = Credential.password(email: "alice@example.com", password: "secret")
  private static let totp = SecondFactorProof.totp(code: "123456", factorID: "t1")

  /// A bench whose server asks for a second factor after every first one.
  private func bench() throws -> Bench {
    let bench = try Bench()
    bench.server.on("accounts:signInWithPassword") {
      var response = SignInWithPasswordResponse(localID: "alice", email: "alice@example.com")
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("accounts:signUp") {
      var response = SignUpResponse(localID: "alice")
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("accounts:signInWithEmailLink") {
      var response = SignInWithEmailLinkResponse(
        localID: "alice", email: "alice@example.com", isNewUser: false)
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("accounts:signInWithCustomToken") {
      var response = SignInWithCustomTokenResponse(isNewUser: false)
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("accounts:signInWithPhoneNumber") {
      SignInWithPhoneNumberResponse(
        phoneNumber: "+15555550100", outcome: .secondFactorNeeded(Self.pending, localID: "alice"))
    }
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "apple.com")
      response.localID = "alice"
      response.pendingToken = "pending"
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil)
    }
    return bench
  }

  private func resolver(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws -> SecondFactorResolver {
    do {
      try await body()
    } catch ClientError.secondFactorRequired(let resolver) {
      return resolver
    }
    Issue.record("No second factor was asked for.", sourceLocation: sourceLocation)
    throw ClientError.cancelled
  }

  private static let firstFactors:
    [(name: String, signIn: @Sendable (AuthClient) async throws -> Void)] = [
      ("password", { try await $0.signIn(with: password) }),
      ("new password", { try await $0.createUser(email: "a@example.com", password: "secret") }),
      ("anonymous", { try await $0.signInAnonymously() }),
      ("custom", { try await $0.signIn(withCustomToken: "a.b.c") }),
      (
        "link",
        {
          try await $0.signIn(
            with: .emailLink(
              email: "alice@example.com", link: "https://example.com/?mode=signIn&oobCode=c"))
        }
      ),
      ("phone", { try await $0.signIn(with: .phone(verificationID: "v", code: "123456")) }),
      ("provider", { try await $0.signIn(with: .apple(idToken: "t", nonce: Nonce())) }),
      ("asking", { _ = try await $0.signInAsking(with: .apple(idToken: "t", nonce: Nonce())) }),
    ]

  @Test(arguments: firstFactors.indices)
  func `every first factor can need a second one`(_ index: Int) async throws {
    let bench = try bench()
    let resolver = try await resolver { try await Self.firstFactors[index].signIn(bench.client) }
    #expect(bench.client.currentUser == nil)
    #expect(resolver.factors.map(\.id) == ["t1", "p1"])
    #expect(resolver.factors.map(\.kind) == [.totp, .phone(number: "+*******0100")])
    #expect(resolver.factors[0].displayName == "Authenticator")
    #expect(resolver.factors[0].enrolledAt == Date(timeIntervalSince1970: 1_767_323_045.006))
    #expect(resolver.recoveryCodesLeft == 7)
    #expect(!resolver.isEnrollmentRequired)
    let result = try await resolver.resolve(with: Self.totp)
    #expect(bench.client.currentUser == result.user)
    #expect(result.user.uid == "alice")
    let sent = try #require(bench.server.requests("mfaSignIn:finalize").first)
      .message(FinalizeMFASignInRequest.self)
    #expect(sent.pendingCredential == "pending-1")
    #expect(sent.enrollmentID == "t1")
  }

  @Test func `a second factor keeps the result of the first`() async throws {
    let bench = try bench()
    let resolver = try await resolver {
      try await bench.client.signIn(with: .apple(idToken: "t", nonce: Nonce()))
    }
    let result = try await resolver.resolve(with: Self.totp)
    #expect(result.provider == .apple)
    #expect(result.credential?.pendingToken == "pending")
  }

  @Test func `a wrong code can be followed by the right one`() async throws {
    let bench = try bench()
    let resolver = try await resolver { try await bench.client.signIn(with: Self.password) }
    bench.server.on(
      "mfaSignIn:finalize",
      inTurn: [
        ScriptedTransport.refusing("INVALID_CODE"),
        ScriptedTransport.answering {
          FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil)
        },
      ])
    await #expect(throws: ClientError.server(ServerRefusal(status: 400, code: "INVALID_CODE"))) {
      try await resolver.resolve(with: .recoveryCode("wrong"))
    }
    #expect(bench.client.currentUser == nil)
    try await resolver.resolve(with: .recoveryCode("k7f2-m9qd-x4tw"))
    #expect(bench.client.currentUser?.uid == "alice")
    // A code may have been used although the response was lost.
    #expect(bench.server.requests("mfaSignIn:finalize").count == 2)
  }

  @Test func `a code by text message`() async throws {
    let bench = try bench()
    let resolver = try await resolver { try await bench.client.signIn(with: Self.password) }
    bench.server.on("mfaSignIn:start") { StartMFASignInResponse(sessionInfo: "session") }
    let id = try await resolver.session.sendCode(to: resolver.factors[1])
    let started = try #require(bench.server.requests("mfaSignIn:start").first)
      .message(StartMFASignInRequest.self)
    #expect(started.enrollmentID == "p1")
    #expect(started.pendingCredential == "pending-1")
    try await resolver.resolve(with: .phone(code: "123456", verificationID: id))
    let sent = try #require(bench.server.requests("mfaSignIn:finalize").first)
      .message(FinalizeMFASignInRequest.self)
    guard case .phone(let info) = sent.verification else {
      Issue.record("\(String(describing: sent.verification))")
      return
    }
    #expect(info == PhoneVerificationInfo(sessionInfo: "session", code: "123456"))
    let user = try #require(bench.client.currentUser)
    await #expect(
      throws: ClientError.invalidArgument(detail: "The user is already signed in.")
    ) { try await user.secondFactorSession.sendCode(to: resolver.factors[1]) }
  }

  @Test func `a re-authentication keeps the session of its user`() async throws {
    let plain = try Bench()
    let user = try await plain.signedIn()
    let before = try #require(user.heldIDToken)
    plain.server.on("accounts:signInWithPassword") {
      var response = SignInWithPasswordResponse(localID: "alice", email: "alice@example.com")
      response.secondFactor = Self.pending
      return response
    }
    plain.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(tokens: Answers.tokens(now: plain.clock.now), factor: nil)
    }
    let resolver = try await resolver { try await user.reauthenticate(with: Self.password) }
    #expect(user.heldIDToken == before)
    let result = try await resolver.resolve(with: Self.totp)
    #expect(result.user === user)
    #expect(plain.client.currentUser === user)
    #expect(user.heldIDToken != before)
    plain.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(
        tokens: Answers.tokens(uid: "bob", now: plain.clock.now), factor: nil)
    }
    await #expect(throws: ClientError.userMismatch) { try await resolver.resolve(with: Self.totp) }
    #expect(plain.client.currentUser?.uid == "alice")
  }

  @Test func `a re-authentication of another account asks for nothing`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "apple.com")
      response.localID = "bob"
      response.secondFactor = Self.pending
      return response
    }
    await #expect(throws: ClientError.userMismatch) {
      try await user.reauthenticate(with: .apple(idToken: "t", nonce: Nonce()))
    }
  }

  @Test func `a link that waits ends with the second factor`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.localID = "alice"
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil)
    }
    let resolver = try await resolver {
      try await user.link(.google(idToken: "t", nonce: Nonce()))
    }
    let result = try await resolver.resolve(with: Self.totp)
    #expect(result.user === user)
    #expect(result.provider == .google)
  }

  @Test func `a new identity is linked after the second factor`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.isNewUser = true
      response.pendingToken = "new-identity"
      return response
    }
    bench.server.on("accounts:signInWithPassword") {
      var response = SignInWithPasswordResponse(localID: "alice", email: "alice@example.com")
      response.secondFactor = Self.pending
      return response
    }
    bench.server.on("mfaSignIn:finalize") {
      FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil)
    }
    guard
      case .newAccount(let offer) = try await bench.client.signInAsking(
        with: .google(idToken: "t", nonce: Nonce()))
    else {
      Issue.record("No question was asked.")
      return
    }
    let resolver = try await resolver { try await offer.linkToExisting(Self.password) }
    bench.server.on("accounts:signInWithIdp") { Answers.idp(now: bench.clock.now) }
    let result = try await resolver.resolve(with: Self.totp)
    #expect(bench.client.currentUser === result.user)
    let link = try #require(bench.server.requests("accounts:signInWithIdp").last)
      .message(SignInWithIdpRequest.self)
    #expect(link.pendingToken == "new-identity")
    #expect(link.idToken != nil)
  }

  @Test func `a sign-out while the code is sent ends the sign-in`() async throws {
    let bench = try bench()
    let resolver = try await resolver { try await bench.client.signIn(with: Self.password) }
    let gate = TestGate()
    bench.server.on("mfaSignIn:finalize") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(
        FinalizeMFASignInResponse(tokens: Answers.tokens(now: bench.clock.now), factor: nil))
    }
    let signIn = Task { try await resolver.resolve(with: Self.totp) }
    #expect(try await eventually { bench.server.requests("mfaSignIn:finalize").count == 1 })
    try bench.client.signOut()
    gate.open()
    await #expect(throws: ClientError.cancelled) { try await signIn.value }
    #expect(bench.client.currentUser == nil)
  }

  // MARK: Adding and removing factors

  private func answerEnrollments(of bench: Bench) {
    bench.server.on("mfaEnrollment:start") { (request) throws(TransportFault) in
      guard let message = try? request.message(StartMFAEnrollmentRequest.self) else {
        return ScriptedTransport.refusal("INVALID_ARGUMENT")
      }
      if case .phone = message.factor {
        return ScriptedTransport.ok(StartMFAEnrollmentResponse.phone(sessionInfo: "phone-session"))
      }
      return ScriptedTransport.ok(
        StartMFAEnrollmentResponse.totp(
          TOTPSessionInfo(
            sharedSecretKey: "JBSWY3DPEHPK3PXP", sessionInfo: "totp-session",
            finalizeEnrollmentTime: "2026-01-02T03:04:05Z")))
    }
    bench.server.on("mfaEnrollment:finalize") {
      var response = FinalizeMFAEnrollmentResponse(
        tokens: Answers.tokens(now: bench.clock.now), factor: .totp)
      response.recoveryCodes = ["k7f2-m9qd-x4tw"]
      return response
    }
  }

  @Test func `a user adds an authenticator app`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    answerEnrollments(of: bench)
    let session = user.secondFactorSession
    let secret = try await session.createAuthenticatorSecret()
    #expect(secret.enrollmentDeadline == Date(timeIntervalSince1970: 1_767_323_045))
    #expect(
      secret.url(accountName: "anna & co@example.com", issuer: "My App")?.absoluteString
        == "otpauth://totp/My%20App:anna%20%26%20co%40example.com?secret=JBSWY3DPEHPK3PXP"
        + "&issuer=My%20App&algorithm=SHA1&digits=6&period=30")
    #expect(!"\(secret)".contains("JBSW"))
    bench.server.on("accounts:lookup") {
      var alice = Answers.alice()
      alice.mfaInfo = Self.pending.factors
      alice.recoveryCodesLeft = 10
      return LookupResponse(users: [alice])
    }
    let before = user.heldIDToken
    let enrollment = try await session.enroll(
      .totp(secret, code: "123456"), displayName: "Authenticator")
    #expect(enrollment.recoveryCodes == ["k7f2-m9qd-x4tw"])
    #expect(user.heldIDToken != before)
    #expect(user.snapshot.secondFactors.map(\.id) == ["t1", "p1"])
    #expect(user.snapshot.recoveryCodesLeft == 10)
    // They are stored with the session.
    let stored = try bench.otherProcess().load()
    #expect(stored == .signedIn(user.snapshot))
    let sent = try #require(bench.server.requests("mfaEnrollment:finalize").first)
      .message(FinalizeMFAEnrollmentRequest.self)
    #expect(sent.displayName == "Authenticator")
    #expect(sent.idToken == before?.token)
    #expect(sent.verification == .totp(sessionInfo: "totp-session", code: "123456"))
  }

  @Test func `a user adds a phone, and withdraws it`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    answerEnrollments(of: bench)
    let session = user.secondFactorSession
    let id = try await session.sendCode(toNew: "+15555550100")
    _ = try await session.enroll(.phone(code: "123456", verificationID: id))
    let sent = try #require(bench.server.requests("mfaEnrollment:finalize").first)
      .message(FinalizeMFAEnrollmentRequest.self)
    #expect(
      sent.verification
        == .phone(PhoneVerificationInfo(sessionInfo: "phone-session", code: "123456")))
    bench.server.on("mfaEnrollment:withdraw") {
      WithdrawMFAResponse(tokens: Answers.tokens(now: bench.clock.now))
    }
    let before = user.heldIDToken
    try await user.withdrawSecondFactor("p1")
    #expect(user.heldIDToken != before)
    bench.server.on("mfaEnrollment:withdraw", refusing: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    await #expect(throws: ClientError.needsRecentSignIn(providers: [.apple])) {
      try await user.withdrawSecondFactor("p1")
    }
  }

  @Test func `a user creates recovery codes`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let codes = (0..<10).map { "code-\($0)" }
    bench.server.on("recoveryCodes:create") { CreateRecoveryCodesResponse(codes) }
    #expect(try await user.createRecoveryCodes() == codes)
    #expect(user.snapshot.recoveryCodesLeft == 10)
  }

  @Test func `a project that requires a factor lets the user add it and signs in`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithPassword") {
      var response = SignInWithPasswordResponse(localID: "alice", email: "alice@example.com")
      var pending = PendingSecondFactor(credential: "pending-1", factors: [])
      pending.isEnrollmentRequired = true
      response.secondFactor = pending
      return response
    }
    answerEnrollments(of: bench)
    let resolver = try await resolver { try await bench.client.signIn(with: Self.password) }
    #expect(resolver.isEnrollmentRequired)
    #expect(resolver.factors.isEmpty)
    let secret = try await resolver.session.createAuthenticatorSecret()
    let enrollment = try await resolver.session.enroll(.totp(secret, code: "123456"))
    #expect(enrollment.recoveryCodes == ["k7f2-m9qd-x4tw"])
    #expect(bench.client.currentUser === enrollment.result.user)
    let sent = try #require(bench.server.requests("mfaEnrollment:finalize").first)
      .message(FinalizeMFAEnrollmentRequest.self)
    #expect(sent.pendingCredential == "pending-1")
    #expect(sent.idToken == nil)
  }

  @Test func `secrets stay out of logs`() async throws {
    let bench = try bench()
    let resolver = try await resolver { try await bench.client.signIn(with: Self.password) }
    for text in [
      "\(resolver)", String(reflecting: resolver), "\(ClientError.secondFactorRequired(resolver))",
      "\(Self.totp)", "\(SecondFactorProof.recoveryCode("k7f2-m9qd-x4tw"))",
      "\(NewSecondFactor.phone(code: "123456", verificationID: "v"))",
    ] {
      #expect(!text.contains("pending-1"))
      #expect(!text.contains("123456"))
      #expect(!text.contains("k7f2"))
    }
    var dumped = ""
    dump(resolver, to: &dumped)
    #expect(!dumped.contains("pending-1"))
  }
}
