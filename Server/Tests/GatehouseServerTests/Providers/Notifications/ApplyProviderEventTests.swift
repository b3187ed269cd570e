import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ApplyProviderEventTests {
  @Test func `a withdrawal ends the provider's sessions, and no other's`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a", email: "ann@example.com")).signedIn()
      let viaGoogle = try await world.signIn(
        identity(.google, "g", email: "ann@example.com")
      ).signedIn()
      #expect(viaGoogle.account.uid == ann.account.uid)
      world.advance(10)
      try await world.apply(.consentRevoked, "a")
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(ann) }
      _ = try await world.currentUser(viaGoogle)
    }
  }

  @Test func `a withdrawal before the last sign-in doesn't end its session`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(10)
      let event = world.event(.consentRevoked, "a")
      world.advance(10)
      let second = try await world.signIn(identity(.apple, "a")).signedIn()
      try await world.apply(event)
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(first) }
      _ = try await world.currentUser(second)
    }
  }

  @Test func `a withdrawal in the second of the sign-in ends its session`() async throws {
    try await withWorld { world in
      // Half a second past a whole one; Google names the whole one.
      let ann = try await world.signIn(identity(.google, "g")).signedIn()
      let second = Date(timeIntervalSince1970: world.now.timeIntervalSince1970.rounded(.down))
      try await world.apply(
        ProviderEvent(
          provider: .google, kind: .consentRevoked, subject: try subject("g"), occurredAt: second))
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(ann) }
      world.advance(0.5)
      _ = try await world.currentUser(try await world.signIn(identity(.google, "g")).signedIn())
    }
  }

  @Test(arguments: [
    ProviderEvent.Kind.consentRevoked, .accountDeleted, .sessionsRevoked, .accountDisabled,
  ])
  func `a report that ends sessions invalidates a code for another address`(
    _ kind: ProviderEvent.Kind
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a", email: "ann@example.com")).signedIn()
      let event = world.event(kind, "a")
      // After the event, by a session that began before it.
      world.advance(10)
      let code = try await world.changeEmail(of: ann)
      try await world.apply(event)
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    }
  }

  @Test(arguments: [
    (ProviderEvent.Kind.sessionsRevoked, false), (.accountDisabled, false), (.consentRevoked, true),
  ])
  func `a report that another person used the provider's account ends codes in its mailbox`(
    _ kind: ProviderEvent.Kind, _ staysValid: Bool
  ) async throws {
    try await withWorld { world in
      // Requested before the account existed.
      let address = "ann@example.com"
      let early = try await world.sent(.emailSignIn(try email(address)), to: address)
      let ann = try await world.signIn(identity(.apple, "a", email: address)).signedIn()
      let reset = try await world.sent(.passwordReset(try email(address)), to: address)
      world.advance(10)
      try await world.apply(kind, "a")
      if staysValid {
        _ = try await world.signIn(code: early, address)
        _ = try await world.resetPassword(reset)
      } else {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.signIn(code: early, address)
        }
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(reset)
        }
      }
      #expect(try await world.stored(ann.account.uid).email?.text == address)
    }
  }

  @Test func `a report that ends no session leaves a code for another address`() async throws {
    try await withWorld({ $0.providerEvents.consentRevoked = .ignore }) { world in
      let ann = try await world.signIn(identity(.apple, "a", email: "ann@example.com")).signedIn()
      world.advance(10)
      let code = try await world.changeEmail(of: ann)
      try await world.apply(.consentRevoked, "a")
      #expect(try await world.apply(code).email?.text == "other@example.com")
    }
  }

  @Test(arguments: [(-30.0, false), (0, false), (599, false), (-61, true), (601, true)])
  func `a withdrawal that the server itself requested ends no session`(
    _ seconds: Double, _ endsSession: Bool
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(3600)
      try await world.accounts.expectRevocation(
        at: .apple, by: ann.account.uid, in: world.project, now: world.now)
      world.advance(seconds)
      try await world.apply(.consentRevoked, "a")
      let isLive = (try? await world.store.isLive(ann, in: world.project.id)) ?? false
      #expect(isLive != endsSession)
    }
  }

  @Test func `an identity that a stolen session linked doesn't keep a deleted account`()
    async throws
  {
    try await withWorld({ $0.providerEvents.accountDeleted = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(3000)
      _ = try await world.signIn(identity(.google, "thief"), linkingTo: ann.tokens.idToken)
      #expect(
        try await world.stored(ann.account.uid).identity(of: .google)?.unconfirmedSince != nil)
      try await world.apply(.accountDeleted, "a")
      #expect(try await world.count() == 0)
    }
  }

  @Test func `a disabled account isn't deleted, or a ban would end with it`() async throws {
    try await withWorld({ $0.providerEvents.accountDeleted = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      try await world.apply(.accountDeleted, "a")
      #expect(try await world.stored(ann.account.uid).isDisabled)
      #expect(try await world.storedSession(ann.session.id).ended != nil)
    }
  }

  @Test func `a withdrawal is shown with the identity until the next sign-in with it`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .ignore }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(10)
      try await world.apply(.consentRevoked, "a")
      let withdrawn = try await world.stored(ann.account.uid).identity(of: .apple)
      #expect(withdrawn?.consentRevokedAt == world.now)
      world.advance(10)
      _ = try await world.signIn(identity(.apple, "a"))
      let again = try await world.stored(ann.account.uid).identity(of: .apple)
      #expect(again?.consentRevokedAt == nil)
    }
  }

  @Test func `one request of the server excuses one withdrawal`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      try await world.accounts.expectRevocation(
        at: .apple, by: ann.account.uid, in: world.project, now: world.now)
      try await world.apply(.consentRevoked, "a")
      _ = try await world.currentUser(ann)
      try await world.apply(.consentRevoked, "a")
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(ann) }
    }
  }

  @Test func `a withdrawal deletes the kept tokens, unless they are newer`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      let event = world.event(.consentRevoked, "a")
      world.advance(10)
      try await world.keep("newer", of: ann.account.uid)
      try await world.apply(event)
      let project = world.project.id
      #expect(try await world.store.read { try $0.countProviderTokens(in: project) } == 1)
      try await world.apply(.consentRevoked, "a")
      #expect(try await world.store.read { try $0.countProviderTokens(in: project) } == 0)
    }
  }

  @Test func `with the policy deleteAccount, an account without another credential is deleted`()
    async throws
  {
    try await withWorld({ $0.providerEvents.accountDeleted = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      try await world.apply(.accountDeleted, "a")
      #expect(try await world.count() == 0)
      await #expect(throws: AccountsError.userNotFound) { try await world.currentUser(ann) }
    }
  }

  @Test func `with the policy deleteAccount, another credential keeps the account`() async throws {
    try await withWorld({ $0.providerEvents.accountDeleted = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a", email: "ann@example.com")).signedIn()
      _ = try await world.signIn(identity(.google, "g", email: "ann@example.com"))
      try await world.apply(.accountDeleted, "a")
      #expect(try await world.stored(ann.account.uid).identities.map(\.provider) == [.google])
    }
  }

  @Test func `with the policy deleteAccount, a user who came back keeps the account`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(10)
      let event = world.event(.consentRevoked, "a")
      world.advance(10)
      _ = try await world.signIn(identity(.apple, "a"))
      try await world.apply(event)
      #expect(try await world.stored(ann.account.uid).identities.count == 1)
    }
  }

  @Test
  func `with the policy deleteAccount, a user who came back and signed out keeps the account`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      let (event, again) = try await world.withdrawAndReturn()
      try await world.signOut(again)
      world.advance(10)
      try await world.apply(event)
      let stored = try await world.stored(again.account.uid)
      #expect(stored.identities.map(\.consentRevokedAt) == [nil])
    }
  }

  @Test func `with the policy deleteAccount, a sign-out after the event keeps no account`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(10)
      let event = world.event(.consentRevoked, "a")
      world.advance(10)
      try await world.signOut(ann)
      try await world.apply(event)
      #expect(try await world.count() == 0)
    }
  }

  @Test func `a late report keeps the account of a user whose newer session was removed`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      let (event, again) = try await world.withdrawAndReturn()
      try await world.signOut(again)
      try await world.sweepEndedSessions(afterDays: 2)
      try await world.apply(event)
      #expect(try await world.stored(again.account.uid).identities.count == 1)
    }
  }

  @Test func `a late report deletes the account of a user who didn't come back`() async throws {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      _ = try await world.signIn(identity(.apple, "a"))
      world.advance(10)
      let event = world.event(.consentRevoked, "a")
      try await world.sweepEndedSessions(afterDays: 2)
      try await world.apply(event)
      #expect(try await world.count() == 0)
    }
  }

  @Test func `after a late report a stolen session's sign-in doesn't keep the account`()
    async throws
  {
    try await withWorld({ $0.providerEvents.consentRevoked = .deleteAccount }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(3000)
      _ = try await world.signIn(identity(.google, "thief"), linkingTo: ann.tokens.idToken)
      world.advance(10)
      let event = world.event(.consentRevoked, "a")
      world.advance(10)
      _ = try await world.signIn(identity(.google, "thief")).signedIn()
      try await world.sweepEndedSessions(afterDays: 2)
      try await world.apply(event)
      #expect(try await world.count() == 0)
    }
  }

  @Test func `with the policy ignore, nothing happens`() async throws {
    try await withWorld({ $0.providerEvents.consentRevoked = .ignore }) { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      try await world.apply(.consentRevoked, "a")
      _ = try await world.currentUser(ann)
    }
  }

  @Test func `the latest report about the relay address counts, in any order`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      let disabled = world.event(.emailDisabled, "a")
      world.advance(10)
      let enabled = world.event(.emailEnabled, "a")
      try await world.apply(enabled)
      try await world.apply(disabled)
      let identity = try await world.stored(ann.account.uid).identity(of: .apple)
      #expect(identity?.isForwardingDisabled == false)
      #expect(identity?.forwardingChangedAt == enabled.occurredAt)
    }
  }

  @Test func `a sign-in afterwards keeps what was reported`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      try await world.apply(.emailDisabled, "a")
      world.advance(10)
      _ = try await world.signIn(identity(.apple, "a", name: "Ann"))
      let identity = try await world.stored(ann.account.uid).identity(of: .apple)
      #expect(identity?.isForwardingDisabled == true)
    }
  }

  @Test func `an event about an unknown user has no effect`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      for kind in ProviderEvent.Kind.allCases { try await world.apply(kind, "b") }
      _ = try await world.currentUser(ann)
    }
  }
}

@Suite struct AcceptNotificationTests {
  private func use(_ byte: UInt8) -> SingleUseToken {
    SingleUseToken(
      digest: [UInt8](repeating: byte, count: 32),
      expiresAt: World.start.addingTimeInterval(86_400))
  }

  @Test func `a notification is queued once, however often it arrives`() async throws {
    try await withWorld { world in
      let event = world.event(.consentRevoked, "a")
      var accepted: [Bool] = []
      for byte: UInt8 in [1, 1, 2, 1] {
        accepted.append(
          try await world.accounts.accept(
            [event], of: .apple, use: use(byte), jws: "j.w.s", in: world.project, now: world.now))
      }
      #expect(accepted == [true, false, true, false])
      let entries = try await world.store.read { try $0.outboxEntries(.init(), limit: 9) }
      #expect(entries.map(\.task.kind) == [.applyEvent, .applyEvent])
      #expect(entries.map(\.orderKey) == ["apple.com a", "apple.com a"])
    }
  }

  @Test func `operators see when the last one arrived`() async throws {
    try await withWorld { world in
      let project = world.project
      try await world.accounts.accept(
        [world.event(.consentRevoked, "a")], of: .apple, use: use(1), jws: "j.w.s", in: project,
        now: world.now)
      world.advance(5)
      try await world.accounts.accept(
        [ProviderEvent(provider: .apple, kind: .verification, subject: nil, occurredAt: world.now)],
        of: .apple, use: use(2), jws: "j.w.s", in: project, now: world.now)
      let found = try await world.store.read { try $0.notifications(in: project.id) }
      #expect(
        found == [
          ReceivedNotifications(
            provider: .apple, lastAt: world.now, lastKind: "verification", count: 2)
        ])
    }
  }
}

extension World {
  fileprivate func event(_ kind: ProviderEvent.Kind, _ subject: String) -> ProviderEvent {
    ProviderEvent(provider: .apple, kind: kind, subject: Subject(subject), occurredAt: now)
  }

  fileprivate func apply(_ kind: ProviderEvent.Kind, _ subject: String) async throws {
    try await apply(event(kind, subject))
  }

  /// With the policies of the world's project, as the outbox does it.
  fileprivate func apply(_ event: ProviderEvent) async throws {
    let (project, now) = (project.id, now)
    try await store.write { try $0.apply(event, in: project, now: now) }
  }

  /// A user withdraws the consent, and signs in again before the report is applied.
  fileprivate func withdrawAndReturn() async throws -> (event: ProviderEvent, again: SignedIn) {
    _ = try await signIn(identity(.apple, "a"))
    advance(10)
    let event = event(.consentRevoked, "a")
    advance(10)
    return (event, try await signIn(identity(.apple, "a")).signedIn())
  }

  fileprivate func signOut(_ signedIn: SignedIn) async throws {
    try await accounts.endSession(
      signedIn.session.id, idToken: signedIn.tokens.idToken, in: project, now: now)
  }

  /// As the server does it, after some days.
  fileprivate func sweepEndedSessions(afterDays days: Double) async throws {
    advance(days * 86_400)
    let limit = now.addingTimeInterval(-Session.endedSeconds)
    try await store.write { transaction in
      _ = try transaction.sweepSessions(
        deletedBefore: .distantPast, endedBefore: limit, idleSince: .distantPast, limit: 100)
    }
  }

  /// Requests a change of the address, and returns the code that the new address gets.
  fileprivate func changeEmail(of signedIn: SignedIn) async throws -> String {
    try await sent(
      .emailChange(of: .idToken(signedIn.tokens.idToken), to: try email("other@example.com")),
      to: "other@example.com")
  }

  fileprivate func currentUser(_ signedIn: SignedIn) async throws -> CurrentUser {
    try await currentUser(signedIn.tokens.idToken)
  }

  fileprivate func keep(_ token: String, of uid: UID) async throws {
    let token = ProviderToken(
      uid: uid, provider: .apple, clientID: "web", subject: try subject("a"),
      token: Secret(token), codeDigest: nil, obtainedAt: now)
    let project = project.id
    try await store.write { try $0.save(token, in: project) }
  }
}

extension Store {
  /// Whether the session is live, whatever became of its ID token by time.
  fileprivate func isLive(_ signedIn: SignedIn, in project: ProjectID) async throws -> Bool {
    try await read { try $0.session(signedIn.session.id, in: project)?.ended == nil }
  }
}
