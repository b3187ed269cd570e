import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct UnlinkTests {
  /// An account with two identities and nothing else.
  private func twoIdentities(_ world: World) async throws -> SignedIn {
    let ann = try await world.signIn(identity(.google)).signedIn()
    return try await world.signIn(identity(.apple), linkingTo: ann.tokens.idToken).signedIn()
  }

  @Test func `a provider is unlinked and the others stay`() async throws {
    try await withWorld { world in
      let ann = try await twoIdentities(world)
      let updated = try await world.update(ann.tokens.idToken) {
        $0.unlinkedProviders = [.google]
      }
      #expect(updated.account.identities.map(\.provider) == [.apple])
      #expect(updated.tokens == nil)
      _ = try await world.currentUser(ann.tokens.idToken)
    }
  }

  /// A thief may have linked the credential, or the finder of a lost phone may have it.
  @Test func `unlinking ends the other sessions that began with the provider, and only those`()
    async throws
  {
    try await withWorld { world in
      let own = try await twoIdentities(world)
      let google = try await world.signIn(identity(.google)).signedIn()
      let apple = try await world.signIn(identity(.apple)).signedIn()
      _ = try await world.update(own.tokens.idToken) { $0.unlinkedProviders = [.google] }
      #expect(try await world.storedSession(google.session.id).ended?.reason == .revoked)
      #expect(try await world.storedSession(apple.session.id).ended == nil)
      #expect(try await world.storedSession(own.session.id).ended == nil)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(google.tokens.refreshToken)
      }
    }
  }

  @Test func `a session that unlinks its own provider continues`() async throws {
    try await withWorld { world in
      _ = try await twoIdentities(world)
      let own = try await world.signIn(identity(.google)).signedIn()
      _ = try await world.update(own.tokens.idToken) { $0.unlinkedProviders = [.google] }
      _ = try await world.refresh(own.tokens.refreshToken)
    }
  }

  @Test func `a new number ends the sessions that began with the former one`() async throws {
    try await withWorld { world in
      let finder = try await world.signInByPhone()
      let own = try await world.signInByPhone()
      _ = try await world.signInByPhone(World.bob, idToken: own.tokens.idToken)
      #expect(try await world.storedSession(finder.session.id).ended?.reason == .revoked)
      #expect(try await world.storedSession(own.session.id).ended == nil)
    }
  }

  /// As in Firebase; but a credential that nobody confirmed may be a thief's.
  @Test(arguments: [true, false])
  func `an administrator who removes a credential ends its sessions if it was unconfirmed`(
    _ isConfirmed: Bool
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      _ = try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken).signedIn()
      if isConfirmed { _ = try await world.signIn(identity(.apple)).signedIn() }
      let google = try await world.signIn(identity(.google)).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.profile.unlinkedProviders = [.google] }
      #expect((try await world.storedSession(google.session.id).ended == nil) == isConfirmed)
      #expect(try await world.storedSession(ann.session.id).ended == nil)
    }
  }

  @Test func `unlinking a provider that isn't linked is no error`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await twoIdentities(world)
      let updated = try await world.update(ann.tokens.idToken) {
        $0.unlinkedProviders = [.facebook, .phone, .password]
      }
      #expect(updated.account.identities.count == 2)
    }
  }

  @Test func `the last credential may be removed if the project allows it`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let updated = try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.google] }
      #expect(updated.account.identities.isEmpty)
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `the last credential stays if the project requires it`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      await #expect(throws: AccountsError.lastCredential) {
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.google] }
      }
      #expect(try await world.stored(ann.account.uid).identities.count == 1)
    }
  }

  @Test func `an identity may be unlinked if there is a password`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(identity(), linkingTo: ann.tokens.idToken).signedIn()
      _ = try await world.update(linked.tokens.idToken) { $0.unlinkedProviders = [.google] }
      await #expect(throws: AccountsError.lastCredential) {
        try await world.update(linked.tokens.idToken) { $0.unlinkedProviders = [.password] }
      }
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `a password without an address is no credential`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.lastCredential) {
        try await world.update(ann.tokens.idToken) { $0.email = .remove }
      }
    }
  }

  @Test func `a password is removed`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) { $0.password = .remove }
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.password == nil)
      #expect(stored.passwordUpdatedAt == nil)
    }
  }

  @Test func `two unlinks at once leave one credential if one must stay`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await twoIdentities(world)
      let providers: [ProviderID] = [.google, .apple]
      let results = await atOnce(2) { index in
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [providers[index]] }
          .account.uid
      }
      #expect(results.successes().count == 1)
      #expect(results.refusals() == [.lastCredential])
      #expect(try await world.stored(ann.account.uid).identities.count == 1)
    }
  }

  @Test func `two unlinks at once leave no credential if none must stay`() async throws {
    try await withWorld { world in
      let ann = try await twoIdentities(world)
      let providers: [ProviderID] = [.google, .apple]
      let results = await atOnce(2) { index in
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [providers[index]] }
          .account.uid
      }
      #expect(results.successes().count == 2)
      #expect(try await world.stored(ann.account.uid).identities.isEmpty)
    }
  }
}
