import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens
import Testing

/// A stolen ID token of a session of long ago links the thief's own identity. What that opens, and
/// what it doesn't.
@Suite struct OldSessionLinkTests {
  /// An account with Apple's identity, and somebody else's of Google's linked 361 seconds later.
  private func linkedLate(
    _ world: World, email: String? = "ann@example.com"
  ) async throws -> SignedIn {
    let ann = try await world.signIn(identity(.apple, email: email)).signedIn()
    world.advance(361)
    _ = try await world.signIn(
      identity(.google, "thief", email: "thief@example.com"), linkingTo: ann.tokens.idToken
    ).signedIn()
    world.advance(60)
    return ann
  }

  private func thief(_ world: World) async throws -> SignedIn {
    try await world.signIn(identity(.google, "thief", email: "thief@example.com")).signedIn()
  }

  enum Sensitive: CaseIterable { case password, email, removal, unlinking, deletion, upgrade }

  private func attempt(_ what: Sensitive, with idToken: String, _ world: World) async throws {
    switch what {
    case .password:
      _ = try await world.update(idToken) { $0.password = .set(Secret("another")) }
    case .email:
      _ = try await world.update(idToken) { $0.email = .set(try email("new@example.com")) }
    case .removal: _ = try await world.update(idToken) { $0.email = .remove }
    case .unlinking: _ = try await world.update(idToken) { $0.unlinkedProviders = [.apple] }
    case .deletion:
      try await world.accounts.delete(idToken: idToken, in: world.project, now: world.now)
    case .upgrade: _ = try await world.upgrade(idToken, "new@example.com")
    }
  }

  @Test(arguments: Sensitive.allCases)
  func `what an old session linked opens the account and makes no sign-in recent`(
    _ what: Sensitive
  ) async throws {
    try await withWorld { world in
      let ann = try await linkedLate(world)
      let thief = try await thief(world)
      #expect(thief.account.uid == ann.account.uid)
      #expect(thief.session.authenticatedAt == World.start)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await attempt(what, with: thief.tokens.idToken, world)
      }
    }
  }

  @Test(arguments: Sensitive.allCases)
  func `a sign-in with an earlier credential confirms it`(_ what: Sensitive) async throws {
    try await withWorld { world in
      _ = try await linkedLate(world)
      _ = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      let confirmed = try await thief(world)
      #expect(confirmed.session.authenticatedAt == world.now)
      try await attempt(what, with: confirmed.tokens.idToken, world)
    }
  }

  @Test func `its own sign-ins confirm nothing, however many`() async throws {
    try await withWorld { world in
      _ = try await linkedLate(world)
      _ = try await thief(world)
      let again = try await thief(world)
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `what it links in turn is confirmed by nothing of its own`() async throws {
    try await withWorld { world in
      _ = try await linkedLate(world)
      let session = try await thief(world)
      _ = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: session.tokens.idToken
      ).signedIn()
      let again = try await world.signIn(identity(.facebook, "thief")).signedIn()
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `a pending token of the link makes no sign-in recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      let (_, pendingToken) = try await world.signIn(
        identity(.google, "thief"), linkingTo: ann.tokens.idToken
      ).signedInWithPending()
      let again = try await world.repeatSignIn(pendingToken).signedIn()
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `a pending token that links in an old session is held to the same`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      let pendingToken = try await world.signIn(
        identity(.google, "thief"), ifNew: .ask
      ).asked()
      _ = try await world.repeatSignIn(pendingToken, linkingTo: ann.tokens.idToken).signedIn()
      let again = try await world.signIn(identity(.google, "thief")).signedIn()
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `an authorization code of it makes no session recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.facebook)).signedIn()
      world.advance(361)
      _ = try await world.signIn(
        identity(.apple, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      try await world.accounts.confirm(
        identity(.apple, "thief"), forIDToken: ann.tokens.idToken, in: world.project,
        now: world.now)
      #expect(
        try await world.storedSession(ann.session.id).authenticatedAt == World.start)
    }
  }

  @Test func `its address doesn't become the account's, to which a reset could be sent`()
    async throws
  {
    try await withWorld { world in
      let ann = try await linkedLate(world, email: nil)
      #expect(try await world.stored(ann.account.uid).email == nil)
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.ask(.passwordReset(try email("thief@example.com")))
      }
    }
  }

  @Test func `an old session adds no address by a link in a mail`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      let code = try await world.sent(
        .emailSignIn(try email("thief@example.com")), to: "thief@example.com")
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signIn(code: code, "thief@example.com", linkingTo: ann.tokens.idToken)
      }
      #expect(try await world.stored(ann.account.uid).email == nil)
    }
  }

  @Test func `a recent session adds one`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(360)
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      let linked = try await world.signIn(
        code: code, "ann@example.com", linkingTo: ann.tokens.idToken)
      #expect(linked.account.isEmailVerified)
    }
  }

  @Test func `what a recent session linked is confirmed at once`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(360)
      _ = try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1000)
      let again = try await world.signIn(identity(.google)).signedIn()
      #expect(again.session.authenticatedAt == world.now)
    }
  }

  enum Earlier: CaseIterable { case password, emailLink, customToken }

  @Test(arguments: Earlier.allCases)
  func `any earlier credential confirms it`(_ earlier: Earlier) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(361)
      _ = try await world.signIn(
        identity(.google, "late"), linkingTo: ann.tokens.idToken
      ).signedIn()
      switch earlier {
      case .password: _ = try await world.signIn("ann@example.com")
      case .emailLink:
        let code = try await world.sent(
          .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
        _ = try await world.signIn(code: code, "ann@example.com")
      case .customToken:
        _ = try await ServiceAccounts(store: world.store).create(
          robot, in: world.project.id, roles: [.customTokens],
          key: try publicKey(expiresAt: nil), now: world.now)
        _ = try await world.signIn(
          customToken: try customToken(ann.account.uid.text, at: world.now))
      }
      let late = try await world.signIn(identity(.google, "late")).signedIn()
      #expect(late.session.authenticatedAt == world.now)
    }
  }

  @Test func `a reset of the password removes what was never confirmed`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(361)
      _ = try await world.signIn(
        identity(.google, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(try email("ann@example.com")), to: "ann@example.com"))
      #expect(try await world.stored(ann.account.uid).identities.isEmpty)
      let thief = try await world.signIn(identity(.google, "thief")).signedIn()
      #expect(thief.account.uid != ann.account.uid)
    }
  }

  @Test func `a project may refuse such links`() async throws {
    try await withWorld({ $0.linksNeedRecentSignIn = true }) { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(360)
      _ = try await world.signIn(identity(.facebook), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken)
      }
    }
  }

  @Test func `a guest of long ago still links where the project refuses such links`() async throws {
    try await withWorld({ $0.linksNeedRecentSignIn = true }) { world in
      let guest = try await world.signUpAnonymously()
      world.advance(3000)
      let linked = try await world.signIn(
        identity(.google), linkingTo: guest.tokens.idToken
      ).signedIn()
      #expect(linked.session.authenticatedAt == world.now)
    }
  }
}
