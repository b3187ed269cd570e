import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// A change of password or address and a deletion need a sign-in of the last five minutes, plus a
/// minute of skew.
@Suite struct RecentSignInTests {
  @Test func `a sign-in 300 seconds ago is recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(300)
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another")) }
    }
  }

  @Test func `a millisecond more is too old for a password`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(300.001)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another")) }
      }
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `an old sign-in is too old for a change of the address`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(300.001)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("b@example.com")) }
      }
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(ann.tokens.idToken) { $0.email = .remove }
      }
    }
  }

  @Test func `an old sign-in is too old to unlink`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(300.001)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.google] }
      }
      #expect(try await world.stored(ann.account.uid).identities.count == 1)
    }
  }

  @Test func `an old sign-in is too old for a deletion`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(300.001)
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      _ = try await world.stored(ann.account.uid)
    }
  }

  @Test func `an anonymous account may be deleted by a session of any age`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      world.advance(300.001)
      _ = try await world.accounts.delete(
        idToken: guest.tokens.idToken, in: world.project, now: world.now)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.accounts.currentUser(
          ofIDToken: guest.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `an old sign-in is recent enough to change the name`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(3000)
      let updated = try await world.update(ann.tokens.idToken) { $0.displayName = .set("Ann") }
      #expect(updated.account.displayName == "Ann")
      #expect(updated.tokens == nil)
    }
  }

  @Test func `the project sets the limit`() async throws {
    try await withWorld({ $0.recentSignInSeconds = 10 }) { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(71)
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a refresh doesn't make a sign-in recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(400)
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(idToken: token, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a confirmed identity makes the session recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(1000)
      try await world.accounts.confirm(
        identity(.apple), forIDToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(try await world.stored(ann.account.uid).lastLoginAt == world.now)
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
    }
  }

  enum Sensitive: CaseIterable { case password, removal, unlinking, export }

  /// A thief may have a copy of the ID token, and wait until the user authenticates again.
  @Test(arguments: Sensitive.allCases)
  func `a confirmed identity makes an earlier ID token recent only for the deletion`(
    _ what: Sensitive
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      world.advance(1000)
      try await world.accounts.confirm(
        identity(.apple), forIDToken: ann.tokens.idToken, in: world.project, now: world.now)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await attempt(what, with: ann.tokens.idToken, world)
      }
      let refreshed = try await world.refresh(ann.tokens.refreshToken)
      try await attempt(what, with: refreshed.tokens.idToken, world)
    }
  }

  private func attempt(_ what: Sensitive, with idToken: String, _ world: World) async throws {
    switch what {
    case .password:
      _ = try await world.update(idToken) { $0.password = .set(Secret("another")) }
    case .removal: _ = try await world.update(idToken) { $0.email = .remove }
    case .unlinking: _ = try await world.update(idToken) { $0.unlinkedProviders = [.apple] }
    case .export:
      _ = try await world.accounts.export(idToken: idToken, in: world.project, now: world.now)
    }
  }

  @Test func `after a confirmation, an earlier ID token links only an unconfirmed identity`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(1000)
      try await world.accounts.confirm(
        identity(.apple), forIDToken: ann.tokens.idToken, in: world.project, now: world.now)
      let linked = try await world.signIn(
        identity(.google, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      // `auth_time` is in whole seconds.
      let authenticatedAt = Date(timeIntervalSince1970: 1_800_000_000)
      #expect(linked.account.identity(of: .google)?.unconfirmedSince == authenticatedAt)
      #expect(linked.session.authenticatedAt == authenticatedAt)
    }
  }

  @Test func `another subject of the provider confirms nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple, "x")).signedIn()
      world.advance(1000)
      await #expect(throws: AccountsError.identityLinkedElsewhere) {
        try await world.accounts.confirm(
          identity(.apple, "y"), forIDToken: ann.tokens.idToken, in: world.project,
          now: world.now)
      }
      #expect(try await world.storedSession(ann.session.id).authenticatedAt == World.start)
    }
  }
  private func from(_ issuer: String) throws -> ExternalIdentity {
    var identity = try identity(.named("oidc.example"))
    identity.issuer = issuer
    return identity
  }

  @Test func `the same subject of another issuer confirms nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(from("https://a.example.com")).signedIn()
      world.advance(1000)
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.accounts.confirm(
          from("https://b.example.com"), forIDToken: ann.tokens.idToken, in: world.project,
          now: world.now)
      }
      #expect(try await world.storedSession(ann.session.id).authenticatedAt == World.start)
      try await world.accounts.confirm(
        from("https://a.example.com"), forIDToken: ann.tokens.idToken, in: world.project,
        now: world.now)
      #expect(
        try await world.storedSession(ann.session.id).authenticatedAt
          == World.start.addingTimeInterval(1000))
    }
  }
}
