import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// An app moves to another Apple team, and all subjects change.
@Suite struct TeamTransferTests {
  private func prepare(
    _ world: World, _ known: [String: String], forTeam team: String = "TEAM222222"
  ) async throws -> TeamTransfer.Progress {
    try await TeamTransfer(
      store: world.store, project: world.project.id, clock: { world.now }
    ).prepare(forTeam: team) { known[$0.text].flatMap { Subject($0) } }
  }

  private func finish(
    _ world: World, _ known: [String: String], email: AssertedEmail? = nil
  ) async throws -> TeamTransfer.Progress {
    try await TeamTransfer(
      store: world.store, project: world.project.id, clock: { world.now }
    ).complete { transferSubject in
      known[transferSubject.text].flatMap { Subject($0) }
        .map { TeamTransfer.Migrated(subject: $0, email: email) }
    }
  }

  private func relayAddress(isVerified: Bool = true) throws -> AssertedEmail {
    AssertedEmail(
      address: try email("new@privaterelay.appleid.com"), isVerified: isVerified, isTrusted: true)
  }

  /// A sign-in after the transfer.
  private func identityOfNewTeam(
    _ name: String, transfer: String, email: String? = nil
  ) throws -> ExternalIdentity {
    var identity = try identity(.apple, name, email: email)
    identity.transferSubject = Subject(transfer)
    return identity
  }

  @Test func `the job gives every identity its new subject`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      let bob = try await world.signIn(identity(.apple, "old-bob")).signedIn()
      #expect(try await prepare(world, ["old-ann": "t-ann", "old-bob": "t-bob"]).done == 2)
      #expect(try await finish(world, ["t-ann": "new-ann", "t-bob": "new-bob"]).done == 2)
      let again = try await world.signIn(identity(.apple, "new-ann")).signedIn()
      #expect(again.account.uid == ann.account.uid)
      #expect(
        try await world.stored(bob.account.uid).identity(of: .apple)?.subject.text == "new-bob")
    }
  }

  @Test func `a user who signs in after the transfer keeps the account`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      let again = try await world.signIn(
        identityOfNewTeam("new-ann", transfer: "t-ann")
      ).signedIn()
      #expect(again.account.uid == ann.account.uid)
      #expect(!again.isNewUser)
      // Also when Apple doesn't send the transfer identifier any more.
      let later = try await world.signIn(identity(.apple, "new-ann")).signedIn()
      #expect(later.account.uid == ann.account.uid)
      let progress = try await finish(world, ["t-ann": "new-ann"])
      #expect(progress == TeamTransfer.Progress())
    }
  }

  @Test func `a transfer identifier that nobody prepared opens no account`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      let other = try await world.signIn(
        identityOfNewTeam("new-ann", transfer: "old-ann")
      ).signedIn()
      #expect(other.isNewUser)
      #expect(other.account.uid != ann.account.uid)
    }
  }

  @Test func `a transfer identifier works once`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      _ = try await world.signIn(identityOfNewTeam("new-ann", transfer: "t-ann"))
      let other = try await world.signIn(
        identityOfNewTeam("mallory", transfer: "t-ann")
      ).signedIn()
      #expect(other.account.uid != ann.account.uid)
    }
  }

  @Test func `another project's transfer opens no account`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity(.apple, "old-ann"))
      _ = try await prepare(world, ["old-ann": "t-ann"])
      let other = try await world.otherProject()
      try await world.store.write { transaction in
        for provider in try World.providers() { try transaction.save(provider, in: other.id) }
      }
      let signedIn = try await world.signIn(
        identityOfNewTeam("new-ann", transfer: "t-ann"), in: other
      ).signedIn()
      #expect(signedIn.isNewUser)
    }
  }

  @Test func `an interrupted job goes on where it was`() async throws {
    struct Interrupted: Error {}
    try await withWorld { world in
      for name in ["a", "b", "c"] { _ = try await world.signIn(identity(.apple, name)) }
      let transfer = TeamTransfer(
        store: world.store, project: world.project.id, clock: { world.now })
      let stop = { (subject: Subject) async throws -> Subject? in
        if subject.text == "c" { throw Interrupted() }
        return Subject("t-\(subject.text)")
      }
      let first = try await transfer.prepare(forTeam: "TEAM222222", identify: stop)
      #expect(first.done == 2)
      #expect(first.next?.text == "b")
      await #expect(throws: Interrupted.self) {
        try await transfer.prepare(forTeam: "TEAM222222", after: first.next, identify: stop)
      }
      #expect(try await prepare(world, ["c": "t-c"]).done == 1)
      let counts = try await world.store.read { [id = world.project.id] in
        try $0.countSubjectTransfers(of: .apple, in: id)
      }
      #expect(counts.prepared == 3)
      #expect(counts.completed == 0)
    }
  }

  @Test func `the relay address changes with the subject, also as the account's own`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.apple, "old-ann", email: "old@privaterelay.appleid.com")
      ).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      _ = try await finish(
        world, ["t-ann": "new-ann"], email: try relayAddress())
      let account = try await world.stored(ann.account.uid)
      #expect(account.email?.text == "new@privaterelay.appleid.com")
      #expect(account.isEmailVerified)
      #expect(account.identity(of: .apple)?.email?.text == "new@privaterelay.appleid.com")
    }
  }

  @Test func `an unverified address doesn't become the account's own`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.apple, "old-ann", email: "old@privaterelay.appleid.com")
      ).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      _ = try await finish(
        world, ["t-ann": "new-ann"], email: try relayAddress(isVerified: false))
      let account = try await world.stored(ann.account.uid)
      #expect(account.email?.text == "old@privaterelay.appleid.com")
      #expect(account.identity(of: .apple)?.email?.text == "new@privaterelay.appleid.com")
    }
  }

  @Test func `an address that the user chose stays the account's own`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signIn(
        identity(.apple, "old-ann", email: "old@privaterelay.appleid.com"),
        linkingTo: ann.tokens.idToken)
      _ = try await prepare(world, ["old-ann": "t-ann"])
      _ = try await finish(
        world, ["t-ann": "new-ann"], email: try relayAddress())
      #expect(try await world.stored(ann.account.uid).email?.text == "ann@example.com")
    }
  }

  @Test func `a second account of the same user is a conflict, and nothing changes`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      let second = try await world.signIn(identity(.apple, "new-ann")).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      let progress = try await finish(world, ["t-ann": "new-ann"])
      #expect(progress.taken.map(\.text) == ["old-ann"])
      #expect(
        try await world.stored(ann.account.uid).identity(of: .apple)?.subject.text == "old-ann")
      // The operator deletes one of the two.
      try await world.accounts.deleteAccount(
        second.account.uid, in: world.project, now: world.now)
      #expect(try await finish(world, ["t-ann": "new-ann"]).done == 1)
    }
  }

  @Test func `subjects of the new team aren't prepared again`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity(.apple, "old-ann"))
      _ = try await prepare(world, ["old-ann": "t-ann"])
      _ = try await finish(world, ["t-ann": "new-ann"])
      #expect(try await prepare(world, ["new-ann": "t2"]) == TeamTransfer.Progress())
    }
  }

  @Test func `the app can move on to a third team`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      _ = try await prepare(world, ["a": "t-b"])
      _ = try await finish(world, ["t-b": "b"])
      #expect(try await prepare(world, ["b": "t-c"], forTeam: "TEAM333333").done == 1)
      #expect(try await finish(world, ["t-c": "c"]).done == 1)
      let again = try await world.signIn(identity(.apple, "c")).signedIn()
      #expect(again.account.uid == ann.account.uid)
    }
  }

  @Test func `a changed target replaces what was prepared`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity(.apple, "a"))
      _ = try await prepare(world, ["a": "t-b"])
      #expect(try await prepare(world, ["a": "t-c"], forTeam: "TEAM333333").done == 1)
      #expect(try await finish(world, ["t-b": "b", "t-c": "c"]).done == 1)
      #expect(try await world.signIn(identity(.apple, "c")).signedIn().isNewUser == false)
    }
  }

  @Test func `an account that is erased while Apple is asked leaves no subject behind`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      let job = TeamTransfer(store: world.store, project: world.project.id, clock: { world.now })
      let prepared = try await job.prepare(forTeam: "TEAM222222") { _ in
        try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
        return Subject("t-ann")
      }
      #expect(prepared.done == 0)
      let bob = try await world.signIn(identity(.apple, "old-bob")).signedIn()
      _ = try await prepare(world, ["old-bob": "t-bob"])
      let completed = try await job.complete { _ in
        try await world.accounts.deleteAccount(bob.account.uid, in: world.project, now: world.now)
        return try TeamTransfer.Migrated(subject: subject("new-bob"), email: nil)
      }
      #expect(completed.gone == 1)
      let counts = try await world.store.read { [id = world.project.id] in
        try $0.countSubjectTransfers(of: .apple, in: id)
      }
      #expect(counts.prepared == 0 && counts.completed == 0)
    }
  }

  @Test func `a deletion deletes the user's transfer`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "old-ann")).signedIn()
      _ = try await prepare(world, ["old-ann": "t-ann"])
      try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
      let counts = try await world.store.read { [id = world.project.id] in
        try $0.countSubjectTransfers(of: .apple, in: id)
      }
      #expect(counts.prepared == 0)
    }
  }
}
