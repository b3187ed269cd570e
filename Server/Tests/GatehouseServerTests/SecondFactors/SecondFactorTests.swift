import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@testable import GatehouseServer

@Suite struct SecondFactorTests {
  // MARK: Asking

  @Test func `a password alone begins no session, and the code of the app ends the sign-in`()
    async throws
  {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let uid = enrolled.signedIn.account.uid
      #expect(
        enrolled.signedIn.session.secondFactor == PresentedFactor(.totp, id: authenticator.id))
      #expect(enrolled.recoveryCodes.count == 10)
      let before = try await world.stored(uid)
      world.advance(60)

      let demand = try await world.demand()
      #expect(demand.factors.factors.map(\.id) == [authenticator.id])
      #expect(try await world.stored(uid).lastLoginAt == before.lastLoginAt)
      let signedIn = try await world.finish(demand.pendingCredential, authenticator)

      #expect(signedIn.account.uid == uid)
      #expect(signedIn.session.secondFactor == PresentedFactor(.totp, id: authenticator.id))
      #expect(signedIn.session.authenticatedAt == world.now.wholeMilliseconds)
      #expect(try await world.stored(uid).lastLoginAt == world.now.wholeMilliseconds)
      #expect(try await world.refresh(signedIn.tokens.refreshToken).account.uid == uid)
    }
  }

  @Test func `every first factor asks`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      let token = enrolled.signedIn.tokens.idToken
      _ = try await world.signIn(identity(), linkingTo: token)
      let google = try await world.signIn(identity())
      let result = try google.ended()
      #expect(try result.demand().account.uid == enrolled.signedIn.account.uid)
      let repeated = try await world.repeatSignIn(google.pendingToken)
      let again = try repeated.ended()
      _ = try again.demand()
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      _ = try await world.accounts.signIn(
        withEmailLinkCode: code, email: try email("ann@example.com"), from: .unknown,
        link: World.link, in: world.project, now: world.now
      ).demand()
      // The number is linked in a session with the second factor.
      _ = try await world.signInByPhone(idToken: token)
      let sent = try await world.sent()
      guard case .ended(let phone, _) = try await world.present(sent.sessionInfo, sent.code) else {
        throw IdentitySignIn.Result.Unexpected(outcome: "no end")
      }
      _ = try phone.demand()
    }
  }

  @Test func `a link in a session without the second factor asks, and keeps what it linked`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let old = try await world.signIn("ann@example.com")
      let (authenticator, _) = try await world.enrollTOTP(.session(idToken: old.tokens.idToken))
      let linked = try await world.signIn(identity(), linkingTo: old.tokens.idToken)
      let result = try linked.ended()
      let demand = try result.demand()
      #expect(demand.account.identity(of: .google) != nil)
      let signedIn = try await world.finish(demand.pendingCredential, authenticator)
      #expect(signedIn.session.provider == .google)
    }
  }

  @Test func `a session from before the enrollment can't change the password any more`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let old = try await world.signIn("ann@example.com")
      let (_, enrolled) = try await world.enrollTOTP(.session(idToken: old.tokens.idToken))
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(old.tokens.idToken) { $0.password = .set(Secret("another one")) }
      }
      let changed = try await world.update(enrolled.signedIn.tokens.idToken) {
        $0.password = .set(Secret("another one"))
      }
      let user = try await world.currentUser(try #require(changed.tokens).idToken)
      #expect(user.session.secondFactor?.method == .totp)
    }
  }

  @Test func `while the policy is off, nobody is asked`() async throws {
    try await withWorld { world in
      _ = try await world.protectedAccount()
      let off = world.project { $0.secondFactors.isEnabled = false }
      _ = try await world.signIn("ann@example.com", in: off)
      _ = try await world.demand()
    }
  }

  @Test func `a custom token needs no second factor`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: [.customTokens], key: try publicKey(), now: world.now)
      let signedIn = try await world.signIn(
        customToken: try customToken(enrolled.signedIn.account.uid.text, at: world.now))
      #expect(signedIn.session.secondFactor == nil)
      _ = try await world.update(signedIn.tokens.idToken) {
        $0.password = .set(Secret("another one"))
      }
    }
  }

  // MARK: Factors

  @Test func `a text message is a second factor, and then no first one`() async throws {
    try await withWorld { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = try await world.signIn("ann@example.com")
      _ = try await world.signInByPhone(idToken: user.tokens.idToken)
      let enrolled = try await world.enrollPhone(
        .session(idToken: user.tokens.idToken), World.bob)
      let demand = try await world.demand()
      let sessionInfo = try await world.accounts.sendCode(
        toFactor: enrolled.factor.id, pendingCredential: demand.pendingCredential, language: nil,
        from: .unknown, in: world.project, now: world.now)
      let code = try #require(world.telephones.messages(to: World.bob).last).code
      let signedIn = try await world.finish(
        demand.pendingCredential, .phone(sessionInfo: sessionInfo, code: code))
      #expect(signedIn.session.secondFactor == PresentedFactor(.phone, id: enrolled.factor.id))
      // Once.
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.finish(
          demand.pendingCredential, .phone(sessionInfo: sessionInfo, code: code))
      }
      let sent = try await world.sent()
      await #expect(throws: AccountsError.phoneIsSecondFactor) {
        try await world.present(sent.sessionInfo, sent.code)
      }
    }
  }

  @Test func `a code that was sent to another number is no factor`() async throws {
    try await withWorld { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = try await world.signIn("ann@example.com")
      _ = try await world.enrollPhone(.session(idToken: user.tokens.idToken))
      let demand = try await world.demand()
      let sent = try await world.sent(to: World.bob)
      await #expect(throws: AccountsError.secondFactorNotFound) {
        try await world.finish(
          demand.pendingCredential,
          .phone(sessionInfo: sent.sessionInfo, code: Secret(sent.code)))
      }
    }
  }

  @Test func `a recovery code stands once for a factor, and its user is told`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      let code = enrolled.recoveryCodes[0]
      let demand = try await world.demand()
      let signedIn = try await world.finish(demand.pendingCredential, .recoveryCode(code))
      #expect(signedIn.session.secondFactor?.method == .recoveryCode)
      #expect(signedIn.account.secondFactors?.recoveryCodes.count == 9)
      await #expect(throws: AccountsError.invalidRecoveryCode) {
        try await world.finish(demand.pendingCredential, .recoveryCode(code))
      }
      let notices = try await world.emails().map(\.kind)
      #expect(notices == [.secondFactorAdded, .recoveryCodeUsed])
    }
  }

  @Test func `new recovery codes replace the earlier ones`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      let new = try await world.accounts.createRecoveryCodes(
        idToken: enrolled.signedIn.tokens.idToken, in: world.project, now: world.now)
      let demand = try await world.demand()
      await #expect(throws: AccountsError.invalidRecoveryCode) {
        try await world.finish(
          demand.pendingCredential, .recoveryCode(enrolled.recoveryCodes[0]))
      }
      _ = try await world.finish(demand.pendingCredential, .recoveryCode(new[0]))
    }
  }

  @Test
  func `a factor is removed only after a recent sign-in, and recovery codes go with the last`()
    async throws
  {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let token = enrolled.signedIn.tokens.idToken
      let withdraw = { (id: String) in
        try await world.accounts.withdrawSecondFactor(
          id, idToken: token, in: world.project, now: world.now)
      }
      await #expect(throws: AccountsError.secondFactorNotFound) { try await withdraw("another") }
      world.advance(301)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await withdraw(authenticator.id)
      }
      world.advance(-301)
      let signedIn = try await withdraw(authenticator.id)
      #expect(signedIn.session.secondFactor == nil)
      #expect(signedIn.account.secondFactors == SecondFactors())
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `the same number or secret is enrolled once, and five factors at most`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = EnrollingUser.session(
        idToken: try await world.signIn("ann@example.com").tokens.idToken)
      let first = try await world.enrollPhone(user)
      let session = EnrollingUser.session(idToken: first.signedIn.tokens.idToken)
      await #expect(throws: AccountsError.secondFactorExists(.phone)) {
        try await world.enrollPhone(session)
      }
      for _ in 0..<4 { _ = try await world.enrollTOTP(session) }
      await #expect(throws: AccountsError.tooManySecondFactors) {
        try await world.enrollTOTP(session)
      }
    }
  }

  // MARK: Who may enroll

  @Test func `an account needs a verified address and a recent sign-in`() async throws {
    try await withWorld { world in
      let unverified = try await world.signUp("ann@example.com")
      let user = EnrollingUser.session(idToken: unverified.tokens.idToken)
      await #expect(throws: AccountsError.emailUnverified) { try await world.enrollTOTP(user) }
      _ = try await world.administer(unverified.account.uid) { $0.isEmailVerified = true }
      world.advance(301)
      await #expect(throws: AccountsError.credentialTooOld) { try await world.enrollTOTP(user) }
      world.advance(-301)
      _ = try await world.enrollTOTP(user)
    }
  }

  @Test func `a session that is anonymous or of a number enrolls no number`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let phone = try await world.signInByPhone()
      for signedIn in [guest, phone] {
        let user = EnrollingUser.session(idToken: signedIn.tokens.idToken)
        await #expect(throws: AccountsError.firstFactorIneligible) {
          try await world.enrollPhone(user, World.bob)
        }
      }
    }
  }

  @Test func `a number needs the consent that the project requires`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = EnrollingUser.session(
        idToken: try await world.signIn("ann@example.com").tokens.idToken)
      await #expect(throws: AccountsError.consentRequired([.email, .phone])) {
        try await world.enrollPhone(user)
      }
      let consent = try #require(GivenConsent(version: "1", joins: [.email, .phone]))
      _ = try await world.enrollPhone(user, consent: consent)
    }
  }

  // MARK: Required

  @Test func `where a factor is required, a new user enrolls one before the first session`()
    async throws
  {
    try await withWorld({ $0.secondFactors.isRequired = true }) { world in
      let result = try await world.accounts.signUp(
        email: try email("ann@example.com"), password: Secret("notasecret"), displayName: nil,
        from: .unknown, in: world.project, now: world.now)
      let demand = try result.demand()
      #expect(demand.isEnrollment && demand.isNewUser)
      let (authenticator, enrolled) = try await world.enrollTOTP(
        .waiting(pendingCredential: demand.pendingCredential))
      #expect(enrolled.signedIn.session.secondFactor?.id == authenticator.id)
      // The credential is of no use for another factor.
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.enrollTOTP(.waiting(pendingCredential: demand.pendingCredential))
      }
      let next = try await world.demand()
      #expect(!next.isEnrollment)
      await #expect(throws: AccountsError.secondFactorRequired) {
        try await world.accounts.withdrawSecondFactor(
          authenticator.id, idToken: enrolled.signedIn.tokens.idToken, in: world.project,
          now: world.now)
      }
    }
  }

  @Test func `a factor is required of accounts with a claim, from a day on`() async throws {
    try await withWorld({
      $0.secondFactors.requiredClaim = "staff"
      $0.secondFactors.requiredFrom = "2027-01-16"
    }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) {
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"staff":true}"#))
      }
      let bob = try await world.signUp("bob@example.com")
      _ = try await world.administer(bob.account.uid) {
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"staff":false}"#))
      }
      _ = try await world.signIn("ann@example.com")
      world.advance(86_400)
      #expect(try await world.demand().isEnrollment)
      _ = try await world.signIn("bob@example.com")
    }
  }
}
