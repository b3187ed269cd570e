import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// A thief with a stolen ID token of an old session must not force the user to sign in again: that would
/// confirm what the thief linked. Whatever the order of linking and ending is.
@Suite struct OldSessionEndingTests {
  enum Ending: CaseIterable { case one, others, all }

  private func end(
    _ what: Ending, _ other: SessionID, with idToken: String, _ world: World
  ) async throws {
    switch what {
    case .one:
      try await world.accounts.endSession(
        other, idToken: idToken, in: world.project, now: world.now)
    case .others:
      _ = try await world.accounts.endOtherSessions(
        idToken: idToken, in: world.project, now: world.now)
    case .all: _ = try await world.update(idToken) { $0.revokesTokens = true }
    }
  }

  /// Otherwise the thief could force the user to sign in, which confirms the thief's identity.
  @Test(arguments: Ending.allCases)
  func `an unconfirmed identity's session ends nobody else's`(_ what: Ending) async throws {
    try await withWorld { world in
      let ann = try await world.linkedLate()
      let thief = try await world.thief()
      await #expect(throws: AccountsError.credentialTooOld) {
        try await end(what, ann.session.id, with: thief.tokens.idToken, world)
      }
      _ = try await world.currentUser(ann.tokens.idToken)
      // It may end itself.
      try await end(.one, thief.session.id, with: thief.tokens.idToken, world)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(thief.tokens.idToken)
      }
    }
  }

  @Test(arguments: Ending.allCases)
  func `with the stolen token of an old session, a thief who ends others loses the identity`(
    _ what: Ending
  ) async throws {
    try await withWorld { world in
      let ann = try await world.linkedLate()
      let thief = try await world.thief()
      let phone = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      // Her sign-in confirmed the first identity: the thief links another.
      world.advance(361)
      _ = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      let second = try await world.signIn(identity(.facebook, "thief")).signedIn()
      try await end(what, phone.session.id, with: ann.tokens.idToken, world)
      #expect(
        try await world.stored(ann.account.uid).identities.map(\.provider) == [.apple, .google])
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(second.tokens.idToken)
      }
      // A session of a confirmed credential ends only if it was asked for.
      let isLeft = what == .one
      let isLive = try await world.storedSession(thief.session.id).ended == nil
      #expect(isLive == isLeft)
    }
  }

  @Test func `an unconfirmed identity that is the only credential stays`() async throws {
    try await withWorld { world in
      let ann = try await world.signInAndUnlinkEverything(age: 361)
      _ = try await world.signIn(identity(.apple, "new"), linkingTo: ann.tokens.idToken).signedIn()
      try await end(.others, ann.session.id, with: ann.tokens.idToken, world)
      #expect(try await world.stored(ann.account.uid).identities.map(\.provider) == [.apple])
    }
  }

  enum Credential: CaseIterable { case identity, number }

  private func link(_ what: Credential, _ idToken: String, _ world: World) async throws -> SignedIn
  {
    switch what {
    case .identity:
      try await world.signIn(
        identity(.google, "thief", email: "thief@example.com"), linkingTo: idToken
      ).signedIn()
    case .number: try await world.signInByPhone(idToken: idToken)
    }
  }

  private func annAndHerPhone(_ world: World) async throws -> (ann: SignedIn, phone: SignedIn) {
    let ann = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
    let phone = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
    return (ann, phone)
  }

  /// Otherwise the order "end first, link second" would be as good for the thief as the other one.
  @Test(arguments: [Ending.one, .others], Credential.allCases)
  func `after an old session ended others, no old session links`(
    _ what: Ending, _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, phone) = try await annAndHerPhone(world)
      let tablet = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      world.advance(361)
      try await end(what, phone.session.id, with: ann.tokens.idToken, world)
      // One that is left.
      let old = what == .one ? tablet : ann
      await #expect(throws: AccountsError.credentialTooOld) {
        try await link(credential, old.tokens.idToken, world)
      }
      let again = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      #expect(again.account.identities.map(\.provider) == [.apple])
      #expect(again.account.phoneNumber == nil)
      _ = try await link(credential, again.tokens.idToken, world)
    }
  }

  /// A thief may have the ID tokens of two sessions.
  @Test(arguments: Credential.allCases)
  func `after an old session ended itself, no other old session links`(
    _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, phone) = try await annAndHerPhone(world)
      world.advance(361)
      try await end(.one, phone.session.id, with: phone.tokens.idToken, world)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await link(credential, ann.tokens.idToken, world)
      }
    }
  }

  @Test(arguments: Credential.allCases)
  func `a session that began after the ending links when it is old`(
    _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, phone) = try await annAndHerPhone(world)
      world.advance(361)
      try await end(.one, phone.session.id, with: ann.tokens.idToken, world)
      world.advance(1)
      let again = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      world.advance(361)
      let linked = try await link(credential, again.tokens.idToken, world)
      #expect(linked.account.hasUnconfirmed)
    }
  }

  @Test(arguments: Credential.allCases)
  func `a session that ended others while it was recent links when it is old`(
    _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, phone) = try await annAndHerPhone(world)
      world.advance(300)
      try await end(.one, phone.session.id, with: ann.tokens.idToken, world)
      world.advance(61)
      let linked = try await link(credential, ann.tokens.idToken, world)
      #expect(linked.account.hasUnconfirmed)
    }
  }

  @Test func `a day after the ending, an old session links again`() async throws {
    try await withWorld { world in
      let (ann, phone) = try await annAndHerPhone(world)
      world.advance(361)
      try await end(.one, phone.session.id, with: ann.tokens.idToken, world)
      world.advance(86_399)
      let late = try await world.refresh(ann.tokens.refreshToken)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await link(.identity, late.tokens.idToken, world)
      }
      world.advance(1)
      _ = try await link(.identity, late.tokens.idToken, world)
    }
  }

  @Test(arguments: Credential.allCases)
  func `an old session that ends itself takes along what it linked`(
    _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, _) = try await annAndHerPhone(world)
      world.advance(361)
      let thief = try await link(credential, ann.tokens.idToken, world)
      try await end(.one, ann.session.id, with: ann.tokens.idToken, world)
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.identities.map(\.provider) == [.apple])
      #expect(stored.phoneNumber == nil)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(thief.tokens.idToken)
      }
    }
  }

  /// A user who links in an app goes on in the session of the new credential, and may end it.
  @Test(arguments: Credential.allCases)
  func `the session of an unconfirmed credential that ends itself leaves this credential`(
    _ credential: Credential
  ) async throws {
    try await withWorld { world in
      let (ann, _) = try await annAndHerPhone(world)
      world.advance(361)
      let linked = try await link(credential, ann.tokens.idToken, world)
      _ = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: linked.tokens.idToken
      ).signedIn()
      try await end(.one, linked.session.id, with: linked.tokens.idToken, world)
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.identity(of: .facebook) == nil)
      #expect(stored.hasUnconfirmed)
    }
  }

  /// The session began with another identity of the same provider.
  @Test func `an identity in the place of a session's former one isn't the session's own`()
    async throws
  {
    try await withWorld { world in
      _ = try await annAndHerPhone(world)
      let apple = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      _ = try await world.signIn(
        identity(.google, "ann"), linkingTo: apple.tokens.idToken
      ).signedIn()
      let google = try await world.signIn(identity(.google, "ann")).signedIn()
      _ = try await world.update(google.tokens.idToken) { $0.unlinkedProviders = [.google] }
      world.advance(361)
      _ = try await link(.identity, google.tokens.idToken, world)
      try await end(.one, google.session.id, with: google.tokens.idToken, world)
      #expect(try await world.stored(google.account.uid).identities.map(\.provider) == [.apple])
    }
  }
}

extension Account {
  fileprivate var hasUnconfirmed: Bool {
    phoneUnconfirmedSince != nil || identities.contains { $0.unconfirmedSince != nil }
  }
}
