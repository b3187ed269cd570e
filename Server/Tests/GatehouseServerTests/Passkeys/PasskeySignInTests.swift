import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct PasskeySignInTests {
  private typealias Refusal = AccountsError

  @Test func `a passkey that a user added signs in to the account`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let ann = try await world.signUp("ann@example.com")
      let (signedIn, passkey) = try await world.enroll(authenticator, ann.tokens.idToken)
      #expect(signedIn.account.uid == ann.account.uid)
      #expect(signedIn.session.provider == .passkey)
      #expect(!signedIn.isNewUser)
      #expect(passkey.transports == ["hybrid", "internal"])
      #expect(passkey.userHandle.count == 32)
      let again = try await world.signIn(authenticator, userHandle: passkey.userHandle)
      #expect(again.account.uid == ann.account.uid)
      #expect(again.session.authenticatedAt == world.now.wholeMilliseconds)
      let stored = try await world.passkeys(of: ann.account.uid)
      #expect(stored.map(\.lastUsedAt) == [world.now.wholeMilliseconds])
      #expect(stored.map(\.name) == ["Key"])
      #expect(try await world.passkeyEvents(of: ann.account.uid) == [.passkeyAdded])
    }
  }

  @Test func `a passkey creates an account`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (ann, passkey) = try await world.enroll(authenticator, nil, email: "ann@example.com")
      #expect(ann.isNewUser)
      #expect(ann.account.email?.text == "ann@example.com")
      #expect(!ann.account.isEmailVerified)
      #expect(ann.account.displayName == "Ada")
      #expect(!ann.account.isAnonymous)
      let again = try await world.signIn(authenticator, userHandle: passkey.userHandle)
      #expect(again.account.uid == ann.account.uid)
    }
  }

  @Test func `a sign-up that the project refuses is refused`() async throws {
    try await withWorld { world in
      let closed = world.project { $0.refusesSignUp = true }
      let options = try world.accounts.startPasskeySignUp(
        email: nil, displayName: nil, in: world.project, now: world.now)
      await #expect(throws: Refusal.adminOnlyOperation) {
        try await world.enroll(Authenticator(), nil, in: closed)
      }
      // Begun before the project was closed.
      await #expect(throws: Refusal.adminOnlyOperation) {
        _ = try await world.accounts.finish(
          world.enrollment(Authenticator(), options), by: nil, in: closed, now: world.now)
      }
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: Refusal.emailExists) {
        try await world.enroll(Authenticator(), nil, email: "ann@example.com")
      }
    }
  }

  @Test func `where passkeys are disabled nothing begins and nothing ends`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (_, passkey) = try await world.enroll(authenticator, nil)
      let options = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      let assertion = try world.assertion(authenticator, options, userHandle: passkey.userHandle)
      let without = world.project { $0.passkeys.isEnabled = false }
      await #expect(throws: Refusal.passkeysDisabled) {
        try await world.accounts.startPasskeySignIn(in: without, now: world.now)
      }
      await #expect(throws: Refusal.passkeysDisabled) {
        try await world.signIn(assertion, in: without)
      }
      await #expect(throws: Refusal.passkeysDisabled) {
        try await world.enroll(Authenticator(), nil, in: without)
      }
      _ = try await world.signIn(assertion)
    }
  }

  // MARK: Attacks

  @Test func `an answer of another origin, ceremony, project or challenge is refused`()
    async throws
  {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (ann, passkey) = try await world.enroll(authenticator, nil)
      let handle = passkey.userHandle
      let options = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      func refuse(
        _ fault: WebAuthnFault, _ assertion: PasskeyAssertion,
        _ location: SourceLocation = #_sourceLocation
      ) async {
        await #expect(
          throws: Refusal.authenticatorResponse(fault), sourceLocation: location
        ) { try await world.signIn(assertion) }
      }
      for origin in ["https://localhost.example.com", "http://127.0.0.1:5173", "http://localhost:"]
      {
        await refuse(
          .origin,
          try world.assertion(authenticator, options, userHandle: handle, origin: origin))
      }
      await refuse(
        .type,
        try world.assertion(authenticator, options, userHandle: handle, type: "webauthn.create"))
      await refuse(
        .userNotPresent,
        try world.assertion(authenticator, options, userHandle: handle, flags: [.userVerified]))
      await refuse(
        .backupFlags,
        try world.assertion(
          authenticator, options, userHandle: handle, flags: [.userPresent, .backupEligible]))
      await refuse(.userHandle, try world.assertion(authenticator, options, userHandle: nil))
      await refuse(
        .userHandle,
        try world.assertion(authenticator, options, userHandle: handle.reversed()))
      // The challenge of a registration, of another project, and one that nobody issued.
      let registration = try world.accounts.startPasskeySignUp(
        email: nil, displayName: nil, in: world.project, now: world.now)
      let other = try await world.accounts.startPasskeySignIn(
        in: try await world.otherProject(), now: world.now)
      for challenge in [registration.challenge, other.challenge, [1, 2, 3], []] {
        var forged = options
        forged.challenge = challenge
        await refuse(
          .challengeNotIssued, try world.assertion(authenticator, forged, userHandle: handle))
      }
      var party = options
      party.relyingPartyID = "example.com"
      await refuse(.relyingParty, try world.assertion(authenticator, party, userHandle: handle))
      let stranger = Authenticator(id: authenticator.credentialID)
      await refuse(.signature, try world.assertion(stranger, options, userHandle: handle))
      let signedIn = try await world.signIn(
        try world.assertion(authenticator, options, userHandle: handle))
      #expect(signedIn.account.uid == ann.account.uid)
    }
  }

  @Test func `a challenge can be answered once, and for five minutes`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (_, passkey) = try await world.enroll(authenticator, nil)
      let options = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      let assertion = try world.assertion(authenticator, options, userHandle: passkey.userHandle)
      _ = try await world.signIn(assertion)
      await #expect(throws: Refusal.authenticatorResponse(.challengeUsed)) {
        try await world.signIn(assertion)
      }
      let late = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      let answer = try world.assertion(authenticator, late, userHandle: passkey.userHandle)
      world.advance(300)
      await #expect(throws: Refusal.authenticatorResponse(.challengeExpired)) {
        try await world.signIn(answer)
      }
    }
  }

  @Test func `an account gets the address and the name that its user enters in the sheet`()
    async throws
  {
    try await withWorld { world in
      let options = try world.accounts.startPasskeySignUp(
        email: nil, displayName: nil, in: world.project, now: world.now)
      var enrollment = world.enrollment(Authenticator(), options)
      enrollment.email = try email("ann@example.com")
      enrollment.displayName = "Ann"
      let (result, _) = try await world.accounts.finish(
        enrollment, by: nil, in: world.project, now: world.now)
      let account = try result.signedIn().account
      #expect(account.email?.text == "ann@example.com")
      #expect(!account.isEmailVerified)
      #expect(account.displayName == "Ann")
      let other = try world.accounts.startPasskeySignUp(
        email: nil, displayName: nil, in: world.project, now: world.now)
      var taken = world.enrollment(Authenticator(), other)
      taken.email = try email("ann@example.com")
      await #expect(throws: Refusal.emailExists) {
        _ = try await world.accounts.finish(taken, by: nil, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a registration's challenge is used once, by its account`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let bob = try await world.signUp("bob@example.com")
      let options = try await world.accounts.startPasskeyEnrollment(
        by: .session(idToken: ann.tokens.idToken), in: world.project, now: world.now)
      let enrollment = world.enrollment(Authenticator(), options)
      func finish(_ enrollment: PasskeyEnrollment, _ user: SignedIn?) async throws {
        _ = try await world.accounts.finish(
          enrollment, by: user.map { .session(idToken: $0.tokens.idToken) }, in: world.project,
          now: world.now)
      }
      await #expect(throws: Refusal.authenticatorResponse(.otherAccount)) {
        try await finish(enrollment, bob)
      }
      await #expect(throws: Refusal.idTokenMissing) { try await finish(enrollment, nil) }
      try await finish(enrollment, ann)
      await #expect(throws: Refusal.authenticatorResponse(.challengeUsed)) {
        try await finish(world.enrollment(Authenticator(), options), ann)
      }
      let signIn = try await world.accounts.startPasskeySignIn(in: world.project, now: world.now)
      var forged = options
      forged.challenge = signIn.challenge
      await #expect(throws: Refusal.authenticatorResponse(.challengeNotIssued)) {
        try await finish(world.enrollment(Authenticator(), forged), ann)
      }
    }
  }

  @Test func `a credential belongs to one account of the project`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      try await world.enroll(authenticator, nil)
      let bob = try await world.signUp("bob@example.com")
      await #expect(throws: Refusal.passkeyInUse) {
        try await world.enroll(authenticator, bob.tokens.idToken)
      }
    }
  }

  @Test func `a counter that goes back is refused and recorded`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (ann, passkey) = try await world.enroll(authenticator, nil, counter: 5)
      let handle = passkey.userHandle
      _ = try await world.signIn(authenticator, userHandle: handle, counter: 6)
      for counter: UInt32 in [6, 2, 0] {
        await #expect(throws: Refusal.authenticatorResponse(.counter)) {
          try await world.signIn(authenticator, userHandle: handle, counter: counter)
        }
      }
      #expect(
        try await world.passkeyEvents(of: ann.account.uid)
          == [.passkeyCounterWentBack, .passkeyCounterWentBack, .passkeyCounterWentBack])
      _ = try await world.signIn(authenticator, userHandle: handle, counter: 7)
      #expect(try await world.passkeys(of: ann.account.uid).map(\.signCount) == [7])
    }
  }

  @Test func `a removed passkey and one of a disabled account sign nobody in`() async throws {
    try await withWorld { world in
      let (first, second) = (Authenticator(), Authenticator())
      let (ann, passkey) = try await world.enroll(first, nil)
      let (again, _) = try await world.enroll(second, ann.tokens.idToken)
      _ = try await world.update(again.tokens.idToken) {
        $0.removedPasskeys = [first.credentialID, [1, 2, 3]]
      }
      await #expect(throws: Refusal.passkeyNotFound) {
        try await world.signIn(first, userHandle: passkey.userHandle)
      }
      // Which of the two began the first session isn't known.
      await #expect(throws: Refusal.tokenExpired) {
        try await world.accounts.currentUser(
          ofIDToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      let back = try await world.signIn(second, userHandle: passkey.userHandle)
      #expect(back.account.passkeys.all == 1)
      #expect(try await world.passkeyEvents(of: ann.account.uid).first == .passkeyRemoved)
      await #expect(throws: Refusal.lastCredential) {
        try await world.update(back.tokens.idToken) {
          $0.removedPasskeys = [second.credentialID]
        }
      }
      var changes = AdministratorChanges()
      changes.isDisabled = true
      _ = try await world.accounts.updateAccount(
        ann.account.uid, with: changes, in: world.project, now: world.now)
      await #expect(throws: Refusal.userDisabled) {
        try await world.signIn(second, userHandle: passkey.userHandle)
      }
      await #expect(throws: Refusal.passkeyNotFound) {
        try await world.signIn(Authenticator(), userHandle: passkey.userHandle)
      }
    }
  }

  @Test func `user verification is required where the policy says so`() async throws {
    try await withWorld({ $0.passkeys.requiresUserVerification = true }) { world in
      let authenticator = Authenticator()
      await #expect(throws: Refusal.authenticatorResponse(.userNotVerified)) {
        try await world.enroll(authenticator, nil, flags: [.userPresent])
      }
      let (_, passkey) = try await world.enroll(authenticator, nil)
      await #expect(throws: Refusal.authenticatorResponse(.userNotVerified)) {
        try await world.signIn(
          authenticator, userHandle: passkey.userHandle, flags: [.userPresent])
      }
      _ = try await world.signIn(authenticator, userHandle: passkey.userHandle)
    }
  }

  @Test func `a passkey of an old session is unconfirmed until the user signs in`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let signedInAt = ann.session.authenticatedAt
      world.advance(3000)
      let thief = Authenticator()
      let (linked, passkey) = try await world.enroll(thief, ann.tokens.idToken)
      #expect(linked.session.authenticatedAt == signedInAt)
      let stolen = try await world.signIn(thief, userHandle: passkey.userHandle)
      #expect(stolen.session.authenticatedAt == signedInAt)
      await #expect(throws: Refusal.credentialTooOld) {
        try await world.update(stolen.tokens.idToken) { $0.removedPasskeys = [[1]] }
      }
      _ = try await world.signIn("ann@example.com")
      #expect(try await world.passkeys(of: ann.account.uid).map(\.unconfirmedSince) == [nil])
      let confirmed = try await world.signIn(thief, userHandle: passkey.userHandle)
      #expect(confirmed.session.authenticatedAt == world.now.wholeMilliseconds)
    }
  }

  @Test func `a takeover ends passkeys`() async throws {
    try await withWorld { world in
      let thief = Authenticator()
      let (squatter, passkey) = try await world.enroll(thief, nil, email: "ann@example.com")
      let ann = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      #expect(ann.account.uid == squatter.account.uid)
      #expect(ann.account.passkeys.all == 0)
      #expect(try await world.passkeys(of: ann.account.uid).isEmpty)
      await #expect(throws: Refusal.passkeyNotFound) {
        try await world.signIn(thief, userHandle: passkey.userHandle)
      }
    }
  }

  @Test func `a deletion erases passkeys`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      let (ann, passkey) = try await world.enroll(authenticator, nil)
      try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
      await #expect(throws: Refusal.passkeyNotFound) {
        try await world.signIn(authenticator, userHandle: passkey.userHandle)
      }
    }
  }

  @Test func `an address reveals an account's passkeys only without email privacy`() async throws {
    try await withWorld { world in
      let authenticator = Authenticator()
      try await world.enroll(authenticator, nil, email: "ann@example.com")
      func allowed(_ address: String, in project: Project) async throws -> [[UInt8]] {
        try await world.accounts.startPasskeySignIn(
          email: try email(address), in: project, now: world.now
        ).allowed.map(\.id)
      }
      #expect(
        try await allowed("ann@example.com", in: world.project) == [authenticator.credentialID])
      #expect(try await allowed("bob@example.com", in: world.project) == [])
      let silent = world.project { $0.protectsEmails = true }
      #expect(try await allowed("ann@example.com", in: silent) == [])
    }
  }

  @Test func `a re-authentication accepts only a passkey of the user`() async throws {
    try await withWorld { world in
      let (own, other) = (Authenticator(), Authenticator())
      let (ann, _) = try await world.enroll(own, nil)
      let (_, passkey) = try await world.enroll(other, nil)
      let options = try await world.accounts.startPasskeySignIn(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(options.allowed.map(\.id) == [own.credentialID])
      await #expect(throws: Refusal.authenticatorResponse(.otherAccount)) {
        try await world.signIn(
          try world.assertion(other, options, userHandle: passkey.userHandle))
      }
      // The user is known: a security key need not name the user.
      let again = try await world.signIn(try world.assertion(own, options, userHandle: nil))
      #expect(again.account.uid == ann.account.uid)
      let bob = try await world.signUp("bob@example.com")
      await #expect(throws: Refusal.noPasskey) {
        try await world.accounts.startPasskeySignIn(
          idToken: bob.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `failed assertions are limited for a client's address`() async throws {
    try await withWorld({ $0.rateLimits.failuresPerAddress = 2 }) { world in
      let authenticator = Authenticator()
      let (_, passkey) = try await world.enroll(authenticator, nil)
      for _ in 1...2 {
        await #expect(throws: Refusal.passkeyNotFound) {
          try await world.signIn(Authenticator(), userHandle: passkey.userHandle)
        }
      }
      await #expect(throws: Refusal.tooManyAttempts) {
        try await world.signIn(authenticator, userHandle: passkey.userHandle)
      }
    }
  }

  @Test func `an account has one user handle and at most twenty passkeys`() async throws {
    try await withWorld { world in
      let (ann, first) = try await world.enroll(Authenticator(), nil)
      let (_, second) = try await world.enroll(Authenticator(), ann.tokens.idToken)
      #expect(first.userHandle == second.userHandle)
      #expect(first.userHandle != Array(ann.account.uid.text.utf8))
      for _ in 3...Passkey.maximumPerAccount {
        try await world.enroll(Authenticator(), ann.tokens.idToken)
      }
      await #expect(throws: Refusal.tooManyPasskeys) {
        try await world.enroll(Authenticator(), ann.tokens.idToken)
      }
    }
  }
}
