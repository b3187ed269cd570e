import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@testable import GatehouseServer

/// What must not get around a second factor.
@Suite struct SecondFactorAttackTests {
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

  @Test func `a pending credential ends one sign-in, and uses nothing up after it`() async throws {
    try await withWorld { world in
      let (authenticator, enrolled) = try await world.protectedAccount()
      let credential = try await world.demand().pendingCredential
      _ = try await world.finish(credential, authenticator)
      let code = enrolled.recoveryCodes[0]
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.finish(credential, .recoveryCode(code))
      }
      _ = try await world.finish(
        try await world.demand().pendingCredential, .recoveryCode(code))
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

  @Test func `messages to the number elsewhere don't use up those of the second factor`()
    async throws
  {
    try await withWorld({ $0.phone.messagesPerNumber = 2 }) { world in
      _ = try await world.verifiedAccount("ann@example.com")
      let user = try await world.signIn("ann@example.com")
      let enrolled = try await world.enrollPhone(.session(idToken: user.tokens.idToken))
      _ = try await world.sent()
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.sent() }
      let demand = try await world.demand()
      func send() async throws {
        _ = try await world.accounts.sendCode(
          toFactor: enrolled.factor.id, pendingCredential: demand.pendingCredential,
          language: nil, from: .unknown, in: world.project, now: world.now)
      }
      try await send()
      try await send()
      await #expect(throws: AccountsError.tooManyAttempts) { try await send() }
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
