import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// Passkeys beside second factors.
@Suite struct PasskeyFactorTests {
  /// An account with a password and a passkey, in a project that requires a second factor from now on.
  private func passkeyAccount(
    _ world: World, _ authenticator: Authenticator
  ) async throws -> (required: Project, passkey: Passkey) {
    _ = try await world.verifiedAccount("ann@example.com")
    let user = try await world.signIn("ann@example.com")
    let enrolled = try await world.enroll(authenticator, user.tokens.idToken)
    return (world.project { $0.secondFactors.isRequired = true }, enrolled.passkey)
  }

  private func assertion(
    _ world: World, _ authenticator: Authenticator, _ credential: String, in project: Project
  ) async throws -> PasskeyAssertion {
    let options = try await world.accounts.startPasskeySignIn(
      pendingCredential: credential, in: project, now: world.now)
    #expect(options.allowed.map(\.id) == [authenticator.credentialID])
    return try world.assertion(authenticator, options, userHandle: nil)
  }

  @Test func `a passkey that verified its user is both factors, and one that didn't is one`()
    async throws
  {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (_, passkey) = try await passkeyAccount(world, authenticator)
      let password = try await world.signIn("ann@example.com")
      let (app, _) = try await world.enrollTOTP(.session(idToken: password.tokens.idToken))

      let both = try await world.signIn(authenticator, userHandle: passkey.userHandle)
      #expect(both.session.secondFactor?.method == .passkey)
      let options = try await world.accounts.startPasskeySignIn(
        in: world.project, now: world.now)
      let one = try await world.accounts.signIn(
        with: world.assertion(
          authenticator, options, userHandle: passkey.userHandle, flags: [.userPresent]),
        from: .unknown, in: world.project, now: world.now
      ).demand()
      #expect(!one.hasPasskeys)
      let signedIn = try await world.finish(one.pendingCredential, app)
      #expect(signedIn.session.provider == .passkey)
      #expect(signedIn.session.secondFactor?.method == .totp)
    }
  }

  @Test func `a passkey stands for the second factor after a password`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (required, passkey) = try await passkeyAccount(world, authenticator)
      let demand = try await world.demand(in: required)
      #expect(demand.hasPasskeys && !demand.isEnrollment)
      let assertion = try await assertion(
        world, authenticator, demand.pendingCredential, in: required)
      let signedIn = try await world.finish(
        demand.pendingCredential, .passkey(assertion), in: required)
      #expect(
        signedIn.session.secondFactor
          == PresentedFactor(.passkey, id: PasskeyInfo(passkey).credentialID))
      // The challenge works once.
      await #expect(throws: AccountsError.authenticatorResponse(.challengeUsed)) {
        try await world.finish(demand.pendingCredential, .passkey(assertion), in: required)
      }
    }
  }

  @Test func `with a passkey, a password alone enrolls no factor`() async throws {
    try await withWorld { world in
      let (required, _) = try await passkeyAccount(world, Authenticator())
      let demand = try await world.demand(in: required)
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.enrollTOTP(
          .waiting(pendingCredential: demand.pendingCredential), in: required)
      }
    }
  }

  /// Adds the factor that the project requires.
  private func enroll(
    _ world: World, _ authenticator: Authenticator, _ demand: SecondFactorDemand,
    flags: AuthenticatorData.Flags = [.userPresent]
  ) async throws -> SignedIn {
    let user = EnrollingUser.waiting(pendingCredential: demand.pendingCredential)
    let options = try await world.accounts.startPasskeyEnrollment(
      by: user, in: world.project, now: world.now)
    return try await world.accounts.finish(
      world.enrollment(authenticator, options, flags: flags), by: user, in: world.project,
      now: world.now
    ).0.signedIn()
  }

  @Test func `where a factor is required, a new user's passkey is one, and is asked for then`()
    async throws
  {
    try await withWorld({
      $0.secondFactors.isRequired = true
      ($0.secondFactors.offersTOTP, $0.secondFactors.offersMessages) = (false, false)
    }) { world in
      #expect(world.project.policies.fault == nil)
      let demand = try await world.accounts.signUp(
        email: try email("ann@example.com"), password: Secret("notasecret"), displayName: nil,
        from: .unknown, in: world.project, now: world.now
      ).demand()
      let authenticator = Authenticator()
      let enrolled = try await enroll(world, authenticator, demand)
      #expect(enrolled.session.provider == .password)
      #expect(enrolled.session.secondFactor?.method == .passkey)
      #expect(enrolled.account.passkeys.all == 1)
      #expect(enrolled.account.passkeys.unconfirmed == 0)
      // The credential ended the sign-in.
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await enroll(world, Authenticator(), demand)
      }
      let next = try await world.demand()
      #expect(next.hasPasskeys && !next.isEnrollment)
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await enroll(world, Authenticator(), next)
      }
      let assertion = try await assertion(
        world, authenticator, next.pendingCredential, in: world.project)
      let signedIn = try await world.finish(next.pendingCredential, .passkey(assertion))
      #expect(signedIn.account.uid == enrolled.account.uid)
    }
  }

  @Test func `a factor can't be required where none is offered`() async throws {
    try await withWorld({
      $0.secondFactors.isRequired = true
      ($0.secondFactors.offersTOTP, $0.secondFactors.offersMessages) = (false, false)
      $0.passkeys.isEnabled = false
    }) { world in
      #expect(
        world.project.policies.fault == "secondFactors.isRequired: no second factor is offered")
    }
  }

  @Test func `a passkey without its user's verification adds no other as the second factor`()
    async throws
  {
    try await withWorld({ $0.secondFactors.isRequired = true }) { world in
      let key = Authenticator()
      let open = world.project { $0.secondFactors.isRequired = false }
      let ann = try await world.enroll(key, nil, flags: [.userPresent], in: open)
      let options = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      let demand = try await world.accounts.signIn(
        with: world.assertion(
          key, options, userHandle: ann.passkey.userHandle, flags: [.userPresent]),
        from: .unknown, in: world.project, now: world.now
      ).demand()
      #expect(demand.isEnrollment)
      await #expect(throws: AccountsError.firstFactorIneligible) {
        try await enroll(world, Authenticator(), demand)
      }
    }
  }

  @Test func `a registration of another account is no required factor`() async throws {
    try await withWorld({ $0.secondFactors.isRequired = true }) { world in
      func signUp(_ address: String) async throws -> SecondFactorDemand {
        try await world.accounts.signUp(
          email: try email(address), password: Secret("notasecret"), displayName: nil,
          from: .unknown, in: world.project, now: world.now
        ).demand()
      }
      let ann = try await signUp("ann@example.com")
      let thief = try await signUp("thief@example.com")
      let options = try await world.accounts.startPasskeyEnrollment(
        by: .waiting(pendingCredential: thief.pendingCredential), in: world.project,
        now: world.now)
      await #expect(throws: AccountsError.authenticatorResponse(.otherAccount)) {
        try await world.accounts.finish(
          world.enrollment(Authenticator(), options),
          by: .waiting(pendingCredential: ann.pendingCredential), in: world.project,
          now: world.now)
      }
    }
  }

  @Test func `another account's passkey is no second factor`() async throws {
    try await withWorld { world in
      let (required, _) = try await passkeyAccount(world, Authenticator())
      let thief = Authenticator()
      let bob = try await world.signUp("bob@example.com")
      let enrolled = try await world.enroll(thief, bob.tokens.idToken)
      let demand = try await world.demand(in: required)
      let options = try await world.accounts.startPasskeySignIn(
        pendingCredential: demand.pendingCredential, in: required, now: world.now)
      await #expect(throws: AccountsError.authenticatorResponse(.otherAccount)) {
        try await world.finish(
          demand.pendingCredential,
          .passkey(
            world.assertion(thief, options, userHandle: enrolled.passkey.userHandle)),
          in: required)
      }
    }
  }

  @Test func `the passkey that was the first factor isn't the second one too`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (required, passkey) = try await passkeyAccount(world, authenticator)
      let options = try await world.accounts.startPasskeySignIn(
        in: world.project, now: world.now)
      let demand = try await world.accounts.signIn(
        with: world.assertion(
          authenticator, options, userHandle: passkey.userHandle, flags: [.userPresent]),
        from: .unknown, in: required, now: world.now
      ).demand()
      let again = try await assertion(
        world, authenticator, demand.pendingCredential, in: required)
      await #expect(throws: AccountsError.secondFactorNotFound) {
        try await world.finish(demand.pendingCredential, .passkey(again), in: required)
      }
    }
  }

  @Test func `an old session adds no passkey to an account with a second factor`() async throws {
    try await withWorld { world in
      let (_, enrolled) = try await world.protectedAccount()
      world.advance(400)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.enroll(Authenticator(), enrolled.signedIn.tokens.idToken)
      }
      world.advance(-400)
      try await world.enroll(Authenticator(), enrolled.signedIn.tokens.idToken)
    }
  }

  @Test func `a passkey that an old session added is no second factor where one is required later`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      world.advance(400)
      let thief = Authenticator()
      let added = try await world.enroll(thief, ann.tokens.idToken)
      let required = world.project { $0.secondFactors.isRequired = true }
      #expect(try await !world.demand(in: required).hasPasskeys)
      let options = try await world.accounts.startPasskeySignIn(in: required, now: world.now)
      _ = try await world.accounts.signIn(
        with: world.assertion(thief, options, userHandle: added.passkey.userHandle),
        from: .unknown, in: required, now: world.now
      ).demand()
    }
  }

  @Test func `a security key that somebody found enrolls no factor`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (required, passkey) = try await passkeyAccount(world, authenticator)
      let options = try await world.accounts.startPasskeySignIn(
        in: world.project, now: world.now)
      let demand = try await world.accounts.signIn(
        with: world.assertion(
          authenticator, options, userHandle: passkey.userHandle, flags: [.userPresent]),
        from: .unknown, in: required, now: world.now
      ).demand()
      #expect(!demand.isEnrollment)
      await #expect(throws: AccountsError.invalidPendingCredential) {
        try await world.enrollTOTP(
          .waiting(pendingCredential: demand.pendingCredential), in: required)
      }
    }
  }
}
