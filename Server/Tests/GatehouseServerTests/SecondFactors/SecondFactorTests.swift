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

  // MARK: Attacks

  @Test func `a pending credential of another project, too old or changed is refused`()
    async throws
  {
    try await withWorld { world in
      let (authenticator, _) = try await world.protectedAccount()
      let credential = try await world.demand().pendingCredential
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.finish(
          credential, .totp(id: nil, code: authenticator.code(at: world.now)), in: other)
      }
      var broken = Array(credential.utf8)
      broken[40] = broken[40] == 0x41 ? 0x42 : 0x41
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.finish(String(decoding: broken, as: UTF8.self), authenticator)
      }
      world.advance(601)
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.finish(credential, authenticator)
      }
      world.advance(-601)
      _ = try await world.finish(credential, authenticator)
    }
  }

  @Test func `the code of another account's app is wrong`() async throws {
    try await withWorld { world in
      _ = try await world.protectedAccount("ann@example.com")
      let (bobs, _) = try await world.protectedAccount("bob@example.com")
      let demand = try await world.demand("ann@example.com")
      await #expect(throws: AccountsError.invalidCode) {
        try await world.finish(
          demand.pendingCredential, .totp(id: nil, code: bobs.code(at: world.now)))
      }
      await #expect(throws: AccountsError.secondFactorNotFound) {
        try await world.finish(demand.pendingCredential, bobs)
      }
    }
  }

  @Test func `a step of the app works once, also in parallel`() async throws {
    try await withWorld { world in
      let (authenticator, _) = try await world.protectedAccount()
      let credential = try await world.demand().pendingCredential
      let results = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask { (try? await world.finish(credential, authenticator)) != nil }
        }
        return await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(results.filter(\.self).count == 1)
    }
  }

  @Test func `guesses are limited for an account, with any number of pending credentials`()
    async throws
  {
    try await withWorld({ $0.rateLimits = RateLimits() }) { world in
      let (authenticator, _) = try await world.protectedAccount()
      var credentials: [String] = []
      for _ in 0..<12 { credentials.append(try await world.demand().pendingCredential) }
      let right = authenticator.code(at: world.now).reveal()
      let wrong = right == "000000" ? "000001" : "000000"
      let results = await withTaskGroup(of: AccountsError?.self) { group in
        for credential in credentials {
          group.addTask {
            do {
              _ = try await world.finish(credential, .totp(id: nil, code: Secret(wrong)))
              return nil
            } catch { return error as? AccountsError }
          }
        }
        return await group.reduce(into: [AccountsError?]()) { $0.append($1) }
      }
      #expect(results.filter { $0 == .invalidCode }.count == 10)
      #expect(results.filter { $0 == .tooManyAttempts }.count == 2)
      // Nor is a right code tried, or a recovery code.
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.finish(credentials[0], authenticator)
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.finish(credentials[0], .recoveryCode(Secret("2222-2222-2222")))
      }
    }
  }

  @Test func `a right code gives no new guesses for the day`() async throws {
    try await withWorld({ $0.rateLimits = RateLimits() }) { world in
      let (authenticator, _) = try await world.protectedAccount()
      for round in 0..<2 {
        let credential = try await world.demand().pendingCredential
        for _ in 0..<9 {
          await #expect(throws: AccountsError.invalidRecoveryCode) {
            try await world.finish(credential, .recoveryCode(Secret("2222-2222-2222")))
          }
        }
        _ = try await world.finish(credential, authenticator)
        world.advance(30)
        #expect(round < 2)
      }
      let credential = try await world.demand().pendingCredential
      for _ in 0..<2 {
        await #expect(throws: AccountsError.invalidRecoveryCode) {
          try await world.finish(credential, .recoveryCode(Secret("2222-2222-2222")))
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.finish(credential, authenticator)
      }
    }
  }

  enum End: String, CaseIterable, Sendable {
    case passwordReset, signOutEverywhere, administratorsRevocation, disabled, deleted
  }

  @Test(arguments: End.allCases)
  func `a pending credential ends with what ends sessions`(_ end: End) async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let signedIn = enrolled.signedIn
      let credential = try await world.demand().pendingCredential
      // Within the same second.
      world.advance(0.01)
      let expected: AccountsError
      switch end {
      case .passwordReset:
        let code = try await world.sent(
          .passwordReset(try email("ann@example.com")), to: "ann@example.com")
        _ = try await world.resetPassword(code)
        expected = .invalidPendingCredential
      case .signOutEverywhere:
        _ = try await world.update(signedIn.tokens.idToken) { $0.revokesTokens = true }
        expected = .invalidPendingCredential
      case .administratorsRevocation:
        _ = try await world.administer(signedIn.account.uid) { $0.validSince = world.now }
        expected = .invalidPendingCredential
      case .disabled:
        _ = try await world.administer(signedIn.account.uid) { $0.isDisabled = true }
        expected = .userDisabled
      case .deleted:
        _ = try await world.accounts.delete(
          idToken: signedIn.tokens.idToken, in: world.project, now: world.now)
        expected = .userNotFound
      }
      world.advance(0.01)
      await #expect(throws: expected) { try await world.finish(credential, authenticator) }
    }
  }

  @Test func `a pending credential ends with the identity that was shown`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let token = enrolled.signedIn.tokens.idToken
      _ = try await world.signIn(identity(), linkingTo: token)
      let google = try await world.signIn(identity())
      let result = try google.ended()
      let credential = try result.demand().pendingCredential
      world.advance(0.01)
      _ = try await world.update(token) { $0.unlinkedProviders = [.google] }
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.finish(credential, authenticator)
      }
    }
  }

  @Test func `a password reset leaves the second factor, and a takeover ends it`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      _ = try await world.resetPassword(code, to: "notasecret")
      _ = try await world.demand()
      // An administrator takes the verification away, so the account isn't anybody's for certain.
      _ = try await world.administer(enrolled.signedIn.account.uid) { $0.isEmailVerified = false }
      let taken = try await world.signIn(identity(email: "ann@example.com"))
      #expect(try taken.signedIn().account.secondFactors == nil)
    }
  }

  @Test func `an unconfirmed identity stays unconfirmed after the second factor`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let token = enrolled.signedIn.tokens.idToken
      world.advance(400)
      _ = try await world.signIn(identity(.google, "thief"), linkingTo: token)
      world.advance(400)
      let thief = try await world.signIn(identity(.google, "thief"))
      let result = try thief.ended()
      let signedIn = try await world.finish(
        try result.demand().pendingCredential, authenticator)
      #expect(signedIn.session.authenticatedAt < world.now.addingTimeInterval(-300))
      #expect(signedIn.account.identity(of: .google)?.unconfirmedSince != nil)
    }
  }

  @Test func `one factor doesn't renew a session of two`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let token = enrolled.signedIn.tokens.idToken
      world.advance(400)
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      let linked = try await world.signIn(code: code, "ann@example.com", linkingTo: token)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.accounts.withdrawSecondFactor(
          authenticator.id, idToken: linked.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `an identity with the account's address doesn't join it by the mailbox alone`()
    async throws
  {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      let result = try await world.signIn(identity(.apple, email: "ann@example.com"))
      _ = try result.confirmation()
      #expect(try await world.stored(enrolled.signedIn.account.uid).identities.isEmpty)
    }
  }

  @Test func `an old session can't have the required factor enrolled`() async throws {
    try await withWorld { world in
      let old = try await world.verifiedAccount("ann@example.com")
      world.advance(400)
      let required = world.project { $0.secondFactors.isRequired = true }
      let linked = try await world.signIn(
        identity(.google, "thief"), linkingTo: old.tokens.idToken, in: required)
      let credential = try linked.ended().demand().pendingCredential
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.enrollTOTP(.waiting(pendingCredential: credential), in: required)
      }
    }
  }

  @Test func `a guest who gets a password enrolls the required factor`() async throws {
    try await withWorld({ $0.secondFactors.isRequired = true }) { world in
      let guest = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.secondFactorRequired) {
        try await world.update(guest.tokens.idToken) {
          $0.email = .set(try email("ann@example.com"))
          $0.password = .set(Secret("notasecret"))
        }
      }
      let demand = try await world.accounts.upgrade(
        idToken: guest.tokens.idToken, email: try email("ann@example.com"),
        password: Secret("notasecret"), displayName: nil, from: .unknown, in: world.project,
        now: world.now
      ).demand()
      #expect(demand.isEnrollment)
      let (_, enrolled) = try await world.enrollTOTP(
        .waiting(pendingCredential: demand.pendingCredential))
      #expect(enrolled.signedIn.account.uid == guest.account.uid)
    }
  }

  @Test func `sessions that a removed factor began end`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let other = try await world.finish(try await world.demand().pendingCredential, authenticator)
      _ = try await world.accounts.withdrawSecondFactor(
        authenticator.id, idToken: enrolled.signedIn.tokens.idToken, in: world.project,
        now: world.now)
      #expect(try await world.storedSession(other.session.id).ended?.reason == .revoked)
      #expect(try await world.storedSession(enrolled.signedIn.session.id).ended == nil)
    }
  }

  @Test func `wrong codes for the number elsewhere don't keep the second factor from counting`()
    async throws
  {
    try await withWorld({
      $0.rateLimits = RateLimits()
      $0.phone.wrongCodesPerNumber = 3
    }) { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = try await world.signIn("ann@example.com")
      let enrolled = try await world.enrollPhone(.session(idToken: user.tokens.idToken))
      for _ in 0..<3 {
        let sent = try await world.sent()
        await #expect(throws: AccountsError.invalidCode) {
          try await world.present(sent.sessionInfo, sent.wrong)
        }
      }
      let demand = try await world.demand()
      let sessionInfo = try await world.accounts.sendCode(
        toFactor: enrolled.factor.id, pendingCredential: demand.pendingCredential, language: nil,
        from: .unknown, in: world.project, now: world.now)
      let code = try #require(world.telephones.messages(to: World.ann).last).code
      _ = try await world.finish(
        demand.pendingCredential, .phone(sessionInfo: sessionInfo, code: code))
    }
  }

  @Test func `a rotation of the master key encrypts second factors again`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      try await world.rotateMasterKey()
      let rotation = MasterKeyRotation(store: world.store, ring: world.ring)
      #expect(try await rotation.reseal() >= 1)
      let uid = enrolled.signedIn.account.uid
      #expect(try await world.stored(uid).secondFactors?[authenticator.id] != nil)
      let demand = try await world.demand()
      _ = try await world.finish(demand.pendingCredential, authenticator)
    }
  }
}
