import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// With a stolen ID token of an old session, an attacker links their own identity. What that
/// identity can do, and what it can't.
@Suite struct OldSessionLinkTests {
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
      _ = try await world.accounts.delete(idToken: idToken, in: world.project, now: world.now)
    case .upgrade: _ = try await world.upgrade(idToken, "new@example.com")
    }
  }

  @Test(arguments: Sensitive.allCases)
  func `an identity linked by an old session signs in, but not recently`(
    _ what: Sensitive
  ) async throws {
    try await withWorld { world in
      let ann = try await world.linkedLate()
      let thief = try await world.thief()
      #expect(thief.account.uid == ann.account.uid)
      #expect(thief.session.authenticatedAt == World.start)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await attempt(what, with: thief.tokens.idToken, world)
      }
    }
  }

  @Test(arguments: Sensitive.allCases)
  func `an earlier credential confirms the identity`(_ what: Sensitive) async throws {
    try await withWorld { world in
      _ = try await world.linkedLate()
      _ = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      let confirmed = try await world.thief()
      #expect(confirmed.session.authenticatedAt == world.now)
      try await attempt(what, with: confirmed.tokens.idToken, world)
    }
  }

  /// The account is anonymous, but its session isn't: a thief may have its ID token.
  @Test func `an identity linked by an old session after everything was unlinked isn't recent`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signInAndUnlinkEverything(age: 361)
      let linked = try await world.signIn(
        identity(.google, "thief", email: "thief@example.com"), linkingTo: ann.tokens.idToken
      ).signedIn()
      #expect(linked.session.authenticatedAt == World.start)
      #expect(linked.account.identity(of: .google)?.unconfirmedSince == World.start)
      #expect(linked.account.email == nil)
    }
  }

  @Test func `nor is a number, and an email link is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signInAndUnlinkEverything(age: 361)
      let code = try await world.sent(
        .emailSignIn(try email("thief@example.com")), to: "thief@example.com")
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signIn(code: code, "thief@example.com", linkingTo: ann.tokens.idToken)
      }
      let linked = try await world.signInByPhone(idToken: ann.tokens.idToken)
      #expect(linked.session.authenticatedAt == World.start)
      #expect(linked.account.phoneUnconfirmedSince == World.start)
    }
  }

  @Test func `an unconfirmed identity's own sign-ins don't confirm it`() async throws {
    try await withWorld { world in
      _ = try await world.linkedLate()
      _ = try await world.thief()
      let again = try await world.thief()
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `an identity that it links is unconfirmed too`() async throws {
    try await withWorld { world in
      _ = try await world.linkedLate()
      let session = try await world.thief()
      _ = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: session.tokens.idToken
      ).signedIn()
      let again = try await world.signIn(identity(.facebook, "thief")).signedIn()
      #expect(again.session.authenticatedAt == World.start)
    }
  }

  @Test func `a sign-in with the link's pending token is not recent`() async throws {
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

  @Test func `an identity linked late by a pending token is unconfirmed`() async throws {
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

  @Test func `an unconfirmed identity's code makes no session recent`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.facebook)).signedIn()
      world.advance(361)
      _ = try await world.signIn(
        identity(.apple, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      let events = try await world.events().count
      world.advance(1)
      try await world.accounts.confirm(
        identity(.apple, "thief"), forIDToken: ann.tokens.idToken, in: world.project,
        now: world.now)
      #expect(
        try await world.storedSession(ann.session.id).authenticatedAt == World.start)
      // It isn't recorded as a sign-in either.
      #expect(try await world.events().count == events)
      #expect(
        try await world.stored(ann.account.uid).lastLoginAt == World.start.addingTimeInterval(361))
    }
  }

  @Test func `an unconfirmed identity's address doesn't become the account's`() async throws {
    try await withWorld { world in
      let ann = try await world.linkedLate(nil)
      #expect(try await world.stored(ann.account.uid).email == nil)
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.ask(.passwordReset(try email("thief@example.com")))
      }
    }
  }

  @Test func `an old session can't add an address by email link`() async throws {
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

  @Test func `a recent session can add an address by email link`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(300)
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      let linked = try await world.signIn(
        code: code, "ann@example.com", linkingTo: ann.tokens.idToken)
      #expect(linked.account.isEmailVerified)
    }
  }

  @Test func `an identity linked by a recent session is confirmed at once`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(300)
      _ = try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1000)
      let again = try await world.signIn(identity(.google)).signedIn()
      #expect(again.session.authenticatedAt == world.now)
    }
  }

  enum Earlier: CaseIterable { case password, emailLink, customToken }

  @Test(arguments: Earlier.allCases)
  func `every kind of earlier credential confirms the identity`(_ earlier: Earlier) async throws {
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

  @Test func `a password reset removes unconfirmed identities`() async throws {
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

  @Test func `at the limit of sessions, an unconfirmed identity begins none`() async throws {
    try await withWorld({ $0.rateLimits.signInsPerIdentity = 1000 }) { world in
      let ann = try await world.linkedLate()
      // Ann's session and that of the link.
      for _ in 2..<100 { _ = try await world.thief() }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.thief() }
      _ = try await world.currentUser(ann.tokens.idToken)
    }
  }

  @Test func `a project may require a recent sign-in for linking`() async throws {
    try await withWorld({ $0.linksNeedRecentSignIn = true }) { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(300)
      _ = try await world.signIn(identity(.facebook), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signIn(identity(.google), linkingTo: ann.tokens.idToken)
      }
    }
  }

  @Test func `an old anonymous session may still link where that is required`() async throws {
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

extension World {
  /// An account with an identity at Apple, to which an attacker's identity at Google is linked 361
  /// seconds later.
  func linkedLate(
    _ email: String? = "ann@example.com"
  ) async throws -> SignedIn {
    let ann = try await signIn(identity(.apple, email: email)).signedIn()
    advance(361)
    _ = try await signIn(
      identity(.google, "thief", email: "thief@example.com"), linkingTo: ann.tokens.idToken
    ).signedIn()
    advance(60)
    return ann
  }

  func thief() async throws -> SignedIn {
    try await signIn(identity(.google, "thief", email: "thief@example.com")).signedIn()
  }
}
