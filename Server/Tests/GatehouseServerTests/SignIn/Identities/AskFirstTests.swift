import GatehouseServer
import GatehouseProtocol
import Testing

/// The user is asked before an account is created for an identity that no account has.
@Suite struct AskFirstTests {
  @Test func `an unknown identity creates nothing, but its pending token does`() async throws {
    try await withWorld { world in
      let asked = try await world.signIn(
        identity(email: "ann@example.com").once(), ifNew: .ask
      ).asked()
      #expect(try await world.count() == 0)
      let created = try await world.repeatSignIn(asked).signedIn()
      #expect(created.isNewUser)
      #expect(created.account.email?.text == "ann@example.com")
      #expect(try await world.count() == 1)
    }
  }

  @Test func `its pending token links to the account that the user chooses`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let asked = try await world.signIn(
        identity(.apple, email: "relay@example.com").once(), ifNew: .ask
      ).asked()
      let linked = try await world.repeatSignIn(asked, linkingTo: ann.tokens.idToken).signedIn()
      #expect(linked.account.uid == ann.account.uid)
      #expect(!linked.isNewUser)
      #expect(linked.account.identities.map(\.provider) == [.apple])
      #expect(try await world.count() == 1)
    }
  }

  @Test func `a pending token that asks again gets the same result and expiry`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity(), ifNew: .ask).asked()
      world.advance(599)
      let second = try await world.repeatSignIn(first, ifNew: .ask).asked()
      #expect(try await world.count() == 0)
      world.advance(1)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(second)
      }
    }
  }

  @Test func `asking spends the provider's token`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once(), ifNew: .ask).asked()
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once())
      }
    }
  }

  @Test func `a known identity signs in without asking`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn()
      let again = try await world.signIn(identity(), ifNew: .ask).signedIn()
      #expect(again.account.uid == first.account.uid)
      #expect(!again.isNewUser)
    }
  }

  @Test func `asking doesn't change to which account an address leads`() async throws {
    try await withWorld { world in
      let verified = try await world.verifiedAccount("verified@example.com")
      let joined = try await world.signIn(identity(email: "verified@example.com"), ifNew: .ask)
      #expect(try joined.signedIn().account.uid == verified.account.uid)

      let squatted = try await world.signUp("squatted@example.com")
      let taken = try await world.signIn(
        identity(.google, "bob", email: "squatted@example.com"), ifNew: .ask
      ).signedIn()
      #expect(taken.account.uid == squatted.account.uid)
      #expect(taken.account.password == nil)

      let confirmed = try await world.signIn(
        identity(.facebook, "eve", email: "verified@example.com", .untrusted), ifNew: .ask
      ).confirmation()
      #expect(confirmed.account?.uid == verified.account.uid)
    }
  }

  /// Why the account that has a user's address, unverified, leaves this address to the user.
  enum Holder: CaseIterable { case scheduled, recoverable }

  private func account(_ holder: Holder, with address: String, _ world: World) async throws -> UID {
    defer { world.advance(1) }
    switch holder {
    case .scheduled:
      let other = try await world.signUp(address)
      _ = try await world.accounts.delete(
        idToken: other.tokens.idToken, in: world.project { $0.deletionGraceDays = 30 },
        now: world.now)
      return other.account.uid
    case .recoverable:
      let other = try await world.accountVerifiedByCode("other@example.com")
      _ = try await world.update(other.tokens.idToken) { $0.email = .set(try email(address)) }
      return other.account.uid
    }
  }

  private func expectUnchanged(_ account: UID, _ holder: Holder, _ world: World) async throws {
    let stored = try await world.stored(account)
    #expect(stored.email?.text == "ann@example.com")
    #expect((stored.deletionScheduledFor != nil) == (holder == .scheduled))
  }

  @Test(arguments: Holder.allCases)
  func `the account that has the address keeps it until the user agrees`(
    _ holder: Holder
  ) async throws {
    try await withWorld { world in
      let other = try await account(holder, with: "ann@example.com", world)
      let asked = try await world.signIn(
        identity(email: "ann@example.com").once(), ifNew: .ask
      ).asked()
      try await expectUnchanged(other, holder, world)
      #expect(try await world.count() == 1)
      let ann = try await world.repeatSignIn(asked).signedIn()
      #expect(ann.isNewUser)
      #expect(ann.account.uid != other)
      #expect(ann.account.email?.text == "ann@example.com")
      switch holder {
      case .scheduled: #expect(try await world.count() == 1)
      case .recoverable: #expect(try await world.stored(other).email == nil)
      }
    }
  }

  @Test(arguments: Holder.allCases)
  func `nothing is asked about a taken address if only administrators create accounts`(
    _ holder: Holder
  ) async throws {
    try await withWorld { world in
      let other = try await account(holder, with: "ann@example.com", world)
      let project = world.project { $0.refusesSignUp = true }
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signIn(
          identity(email: "ann@example.com").once(), ifNew: .ask, in: project)
      }
      try await expectUnchanged(other, holder, world)
    }
  }

  @Test func `nothing is asked if only administrators create accounts`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signIn(identity().once(), ifNew: .ask)
      }
      // The refusal spent nothing: otherwise this error would be about the token.
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signIn(identity().once())
      }
    }
  }
}
