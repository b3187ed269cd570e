import Foundation
import GatehouseServer
import GatehouseProtocol
import TestStores
import Testing

/// Deletion in a project with a grace period.
@Suite struct ScheduledDeletionTests {
  private static let day: TimeInterval = 86_400

  private func delete(_ signedIn: SignedIn, _ world: World) async throws -> Deletion.State {
    try await world.accounts.delete(
      idToken: signedIn.tokens.idToken, in: world.project, now: world.now
    ).deletion.state
  }

  private func eraseDue(_ world: World) async throws -> Int {
    try await AccountsService.eraseScheduledAccounts(in: world.store, limit: 10, now: world.now)
  }

  @Test func `the account is erased when the grace period is over, and not before`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.signUp("ann@example.com")
      let time = World.start.addingTimeInterval(30 * Self.day)
      #expect(try await delete(ann, world) == .scheduled(time))
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == time)
      world.advance(30 * Self.day - 0.001)
      #expect(try await eraseDue(world) == 0)
      world.advance(0.001)
      #expect(try await eraseDue(world) == 1)
      #expect(try await world.count() == 0)
      #expect(try await world.storedSession(ann.session.id).ended?.reason == .revoked)
    }
  }

  @Test func `a repeated request gets the same answer, and changes nothing`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.signUp("ann@example.com")
      let first = try await delete(ann, world)
      world.advance(600)
      #expect(try await delete(ann, world) == first)
    }
  }

  @Test func `its sessions end at once`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await delete(ann, world)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
    }
  }

  @Test func `a sign-in in the grace period keeps the account`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.signIn(identity(.google)).signedIn()
      _ = try await delete(ann, world)
      world.advance(29 * Self.day)
      let again = try await world.signIn(identity(.google)).signedIn()
      #expect(again.account.uid == ann.account.uid)
      #expect(!again.isNewUser)
      world.advance(10 * Self.day)
      #expect(try await eraseDue(world) == 0)
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == nil)
    }
  }

  /// A thief with a stolen ID token linked them; a sign-in with one would keep the account.
  @Test func `unconfirmed credentials are removed, and don't keep the account`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      _ = try await world.signIn(identity(.google, "thief"), linkingTo: ann.tokens.idToken)
        .signedIn()
      _ = try await world.signInByPhone(idToken: ann.tokens.idToken)
      try await world.accounts.confirm(
        identity(.apple), forIDToken: ann.tokens.idToken, in: world.project, now: world.now)
      let token = ProviderToken(
        uid: ann.account.uid, provider: .google, clientID: "client",
        subject: try subject("thief"), token: Secret("r3fresh"), codeDigest: nil,
        obtainedAt: world.now)
      try await world.store.write { try $0.save(token, in: world.project.id) }
      let time = world.now.addingTimeInterval(30 * Self.day)
      #expect(try await delete(ann, world) == .scheduled(time))
      // As when the user unlinks it.
      let queued = try await world.store.read {
        try $0.outboxEntries(OutboxFilter(), limit: 9).map(\.task.kind)
      }
      #expect(queued == [.revoke])
      world.advance(60)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(identity(.google, "thief"), ifNew: .refuse)
      }
      let byPhone = try await world.signInByPhone()
      #expect(byPhone.account.uid != ann.account.uid)
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == time)
      let back = try await world.signIn(identity(.apple)).signedIn()
      #expect(back.account.uid == ann.account.uid)
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == nil)
    }
  }

  @Test func `a sign-in with a password keeps it too`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await delete(ann, world)
      _ = try await world.signIn("ann@example.com")
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == nil)
    }
  }

  @Test func `a refused sign-in keeps nothing`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await delete(ann, world)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: "wrong-one")
      }
      world.advance(Self.day)
      #expect(try await eraseDue(world) == 1)
    }
  }

  @Test func `an administrator can keep the account`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await delete(ann, world)
      let uid = ann.account.uid
      #expect(
        try await world.accounts.keepScheduledAccount(
          uid, in: world.project, now: world.now))
      #expect(
        try await !world.accounts.keepScheduledAccount(
          uid, in: world.project, now: world.now))
      world.advance(Self.day)
      #expect(try await eraseDue(world) == 0)
    }
  }

  @Test func `an administrator's deletion has no grace period`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let ann = try await world.signUp("ann@example.com")
      try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
      #expect(try await world.count() == 0)
    }
  }

  @Test func `an anonymous account is erased at once: nobody could sign in to keep it`()
    async throws
  {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let guest = try await world.signUpAnonymously()
      guard case .erased = try await delete(guest, world) else {
        Issue.record("not erased")
        return
      }
      #expect(try await world.count() == 0)
    }
  }

  @Test func `nothing is revoked at providers before the account is erased`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      let ann = try await world.signIn(identity(.facebook, "1001")).signedIn()
      _ = try await delete(ann, world)
      let queue = { () async throws in
        try await world.store.read { try $0.outboxEntries(OutboxFilter(), limit: 10).count }
      }
      #expect(try await queue() == 0)
      world.advance(Self.day)
      _ = try await eraseDue(world)
      #expect(try await queue() == 1)
    }
  }

  @Test func `a batch is bounded, and the earliest go first`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      for name in ["ann", "bob", "cleo"] {
        _ = try await delete(try await world.signUp("\(name)@example.com"), world)
        world.advance(1)
      }
      world.advance(Self.day)
      let due = try await world.store.read {
        try $0.accountsScheduledForDeletion(by: .distantFuture, limit: 2)
      }
      #expect(due.count == 2)
      let erased = try await AccountsService.eraseScheduledAccounts(
        in: world.store, limit: 2, now: world.now)
      #expect(erased == 2)
      let left = try await world.accounts.accounts(after: nil, pageSize: 10, in: world.project)
      #expect(left.accounts.map(\.email?.text) == ["cleo@example.com"])
    }
  }

  @Test func `a provider's token from before the deletion doesn't withdraw it`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      var (uid, google) = try await deletedGoogleUser(world)
      await #expect(throws: AccountsError.tokenExpired) { try await world.signIn(google) }
      #expect(try await world.stored(uid).deletionScheduledFor != nil)
      google.issuedAt = world.now
      _ = try await world.signIn(google).signedIn()
      #expect(try await world.stored(uid).deletionScheduledFor == nil)
    }
  }

  @Test func `nor does one of a provider that isn't linked, whose address is the account's`()
    async throws
  {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      var google = try identity(.google, email: "ann@example.com")
      google.issuedAt = world.now
      let ann = try await world.verifiedAccount("ann@example.com")
      world.advance(60)
      _ = try await delete(ann, world)
      world.advance(60)
      await #expect(throws: AccountsError.tokenExpired) { try await world.signIn(google) }
      let kept = try await world.stored(ann.account.uid)
      #expect(kept.deletionScheduledFor != nil)
      #expect(kept.identities.isEmpty)
      google.issuedAt = world.now
      let joined = try await world.signIn(google).signedIn()
      #expect(joined.account.uid == ann.account.uid)
      #expect(try await world.stored(ann.account.uid).deletionScheduledFor == nil)
    }
  }

  @Test func `nor does a pending token that a link's conflict gave for such a token`() async throws
  {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      var (uid, google) = try await deletedGoogleUser(world)
      let guest = try await world.signUpAnonymously()
      let old = try await world.signIn(google, linkingTo: guest.tokens.idToken).conflict()
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.repeatSignIn(old.pendingToken)
      }
      #expect(try await world.stored(uid).deletionScheduledFor != nil)
      google.issuedAt = world.now
      let new = try await world.signIn(google, linkingTo: guest.tokens.idToken).conflict()
      _ = try await world.repeatSignIn(new.pendingToken).signedIn()
      #expect(try await world.stored(uid).deletionScheduledFor == nil)
    }
  }

  /// A user whose account's deletion was scheduled a minute ago, and the identity in an ID token from a
  /// minute before that.
  private func deletedGoogleUser(_ world: World) async throws -> (UID, ExternalIdentity) {
    var google = try identity(.google)
    google.issuedAt = world.now
    let user = try await world.signIn(google).signedIn()
    world.advance(60)
    _ = try await delete(user, world)
    world.advance(60)
    return (user.account.uid, google)
  }

  @Test func `nobody takes over an account that its user deleted`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let first = try await world.signUp("ann@example.com")
      _ = try await delete(first, world)
      let owner = try await world.signIn(
        identity(.google, email: "ann@example.com")
      ).signedIn()
      #expect(owner.isNewUser)
      #expect(owner.account.uid != first.account.uid)
      #expect(try await world.count() == 1)
    }
  }

  @Test func `an account that can't be erased holds up no other`() async throws {
    try await withWorld({ $0.deletionGraceDays = 1 }) { world in
      for name in ["ann", "bob"] {
        _ = try await delete(try await world.signUp("\(name)@example.com"), world)
      }
      world.advance(Self.day)
      let failing = InterruptedStore(world.store) { number in
        if number == 1 { throw StoreError.damaged("test") }
      }
      var reported = 0
      let erased = try await AccountsService.eraseScheduledAccounts(
        in: failing, limit: 10, now: world.now
      ) { _, _ in reported += 1 }
      #expect(erased == 1)
      #expect(reported == 1)
    }
  }
}
