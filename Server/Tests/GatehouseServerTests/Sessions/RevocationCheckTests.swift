import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Google's Admin SDKs can check whether a token was revoked: the one for Node.js compares `auth_time` with
/// the account's `validSince`, those for Python, Go and Java compare `iat`.
@Suite struct RevocationCheckTests {
  /// Expects that the server and all these SDKs accept the token, and a token that is refreshed later.
  private func expectAccepted(
    _ idToken: String, _ refreshToken: String, _ world: World
  ) async throws {
    world.advance(10)
    let later = try await world.refresh(refreshToken).tokens
    for idToken in [idToken, later.idToken] {
      let account = try await world.currentUser(idToken).account
      let claims = try claims(of: idToken)
      let validSince = Int64(account.validSince.timeIntervalSince1970)
      #expect(try #require(claims["auth_time"]?.int64) >= validSince)
      #expect(try #require(claims["iat"]?.int64) >= validSince)
    }
  }

  enum Change: CaseIterable { case password, email, revocation }

  @Test(arguments: Change.allCases)
  func `a user's own change that revokes tokens leaves the new ones valid`(
    _ change: Change
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(200)
      let updated = try await world.update(ann.tokens.idToken) {
        switch change {
        case .password: $0.password = .set(Secret("another"))
        case .email: $0.email = .set(try email("new@example.com"))
        case .revocation: $0.revokesTokens = true
        }
      }
      let tokens = try #require(updated.tokens)
      let authTime = try claims(of: tokens.idToken)["auth_time"]?.int64
      #expect(authTime == 1_800_000_200)
      try await expectAccepted(tokens.idToken, tokens.refreshToken, world)
      // The change is no sign-in for the server.
      world.advance(151)
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `the revocation of all ends every session that began before, also on the second page`()
    async throws
  {
    try await withWorld { world in
      let first = try await world.signUp("first@example.com")
      for number in 0..<120 { _ = try await world.signUp("user\(number)@example.com") }
      let last = try await world.signUp("zoe@example.com")
      let signedOut = try await world.accounts.createAccount(
        uid: UID("signed-out"), AdministratorChanges(), in: world.project, now: world.now)
      world.advance(5)
      let count = try await world.accounts.revokeSome(
        limit: 1000, startedBefore: world.now, in: world.project, now: world.now
      ).revoked
      #expect(count == 122)
      for tokens in [first.tokens, last.tokens] {
        await #expect(throws: AccountsError.tokenExpired) {
          try await world.refresh(tokens.refreshToken)
        }
      }
      let untouched = try await world.store.read {
        try $0.account(signedOut.uid, in: world.project.id)
      }
      #expect(untouched?.validSince == signedOut.validSince)
      world.advance(1)
      let again = try await world.signIn("first@example.com")
      _ = try await world.refresh(again.tokens.refreshToken)
      #expect(
        try await world.accounts.revokeSome(
          limit: 1000, startedBefore: world.now - 1, in: world.project, now: world.now
        ).revoked == 1)
      _ = try await world.refresh(again.tokens.refreshToken)
    }
  }

  @Test func `a linked password leaves the new tokens valid`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(200)
      let upgraded = try await world.upgrade(ann.tokens.idToken, "ann@example.com")
      try await expectAccepted(upgraded.tokens.idToken, upgraded.tokens.refreshToken, world)
    }
  }

  @Test func `an address that is replaced by a link leaves the new tokens valid`() async throws {
    try await withWorld { world in
      let bob = try await world.signUp("bob@example.com")
      world.advance(200)
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      let linked = try await world.signIn(
        code: code, "ann@example.com", linkingTo: bob.tokens.idToken)
      try await expectAccepted(linked.tokens.idToken, linked.tokens.refreshToken, world)
    }
  }

  @Test func `an account that is created by a pending token has valid tokens`() async throws {
    try await withWorld { world in
      let pendingToken = try await world.signIn(identity(), ifNew: .ask).asked()
      world.advance(60)
      let ann = try await world.repeatSignIn(pendingToken).signedIn()
      #expect(ann.isNewUser)
      try await expectAccepted(ann.tokens.idToken, ann.tokens.refreshToken, world)
    }
  }

  @Test func `a validSince in the future puts no auth_time into the future`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = world.now.addingTimeInterval(1000)
      }
      world.advance(10)
      let again = try await world.signIn(identity()).signedIn()
      let authTime = try claims(of: again.tokens.idToken)["auth_time"]?.int64
      #expect(authTime == 1_800_000_010)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(again.tokens.idToken)
      }
    }
  }

  /// Otherwise whoever linked an identity with an old ID token would seem to have authenticated at the moment
  /// of an administrator's revocation.
  @Test func `a revocation doesn't make an unconfirmed identity's auth_time later`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      _ = try await world.signIn(
        identity(.google, "ann"), linkingTo: ann.tokens.idToken
      ).signedIn()
      world.advance(60)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      let again = try await world.signIn(identity(.google, "ann")).signedIn()
      let later = try await world.refresh(again.tokens.refreshToken).tokens
      for idToken in [again.tokens.idToken, later.idToken] {
        let authTime = try claims(of: idToken)["auth_time"]?.int64
        #expect(authTime == 1_800_000_000)
        _ = try await world.currentUser(idToken)
      }
    }
  }

  @Test func `a revocation doesn't make an unconfirmed number's auth_time later`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      _ = try await world.signInByPhone(idToken: ann.tokens.idToken)
      world.advance(60)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      let again = try await world.signInByPhone()
      let authTime = try claims(of: again.tokens.idToken)["auth_time"]?.int64
      #expect(authTime == 1_800_000_000)
    }
  }

  @Test func `once the identity is confirmed, its tokens are valid after a revocation`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.apple)).signedIn()
      world.advance(361)
      _ = try await world.signIn(
        identity(.google, "ann"), linkingTo: ann.tokens.idToken
      ).signedIn()
      _ = try await world.signIn(identity(.apple)).signedIn()
      world.advance(60)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      world.advance(60)
      let again = try await world.signIn(identity(.google, "ann")).signedIn()
      try await expectAccepted(again.tokens.idToken, again.tokens.refreshToken, world)
    }
  }
}
