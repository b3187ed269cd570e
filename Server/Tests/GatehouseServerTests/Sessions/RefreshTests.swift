import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RefreshTests {
  @Test func `each use returns another token of the same session`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn()
      world.advance(100)
      let second = try await world.refresh(first.tokens.refreshToken)
      #expect(second.tokens.refreshToken != first.tokens.refreshToken)
      #expect(second.account.uid == first.account.uid)
      world.advance(100)
      _ = try await world.refresh(second.tokens.refreshToken)
      #expect(try await world.storedSession(first.session.id).rotation == 2)
    }
  }

  @Test func `a refresh keeps auth_time, provider and identities, and changes iat`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(100)
      let before = try claims(of: first.tokens.idToken)
      let after = try claims(of: try await world.refresh(first.tokens.refreshToken).tokens.idToken)
      #expect(after["auth_time"] == before["auth_time"])
      #expect(after["firebase"] == before["firebase"])
      #expect(after["iat"]?.int64 == 1_800_000_100)
      #expect(after["exp"]?.int64 == 1_800_003_700)
    }
  }

  @Test func `a refresh keeps auth_time at the end of a second`() async throws {
    try await withWorld { world in
      world.advance(0.4998)
      let first = try await world.signIn(identity()).signedIn()
      world.advance(100)
      let again = try await world.refresh(first.tokens.refreshToken)
      #expect(
        try claims(of: again.tokens.idToken)["auth_time"]
          == claims(of: first.tokens.idToken)["auth_time"])
      _ = try await world.currentUser(first.tokens.idToken)
    }
  }

  @Test func `a refresh contains changes of the profile`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn()
      _ = try await world.update(first.tokens.idToken) { $0.displayName = .set("Ann") }
      let again = try await world.refresh(first.tokens.refreshToken)
      #expect(try claims(of: again.tokens.idToken)["name"]?.string == "Ann")
    }
  }

  @Test func `a token whose successor was never used returns the live one, after any time`()
    async throws
  {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn().tokens.refreshToken
      let second = try await world.refresh(first).tokens.refreshToken
      world.advance(30 * 86_400)
      #expect(try await world.refresh(first).tokens.refreshToken == second)
      world.advance(30 * 86_400)
      #expect(try await world.refresh(first).tokens.refreshToken == second)
      _ = try await world.refresh(second)
    }
  }

  @Test func `an anonymous user whose refresh response was lost keeps the account`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      _ = try await world.refresh(guest.tokens.refreshToken)
      world.advance(75)
      let again = try await world.refresh(guest.tokens.refreshToken)
      #expect(again.account.uid == guest.account.uid)
      _ = try await world.currentUser(again.tokens.idToken)
    }
  }

  @Test func `several responses in a row may be lost`() async throws {
    try await withWorld { world in
      var token = try await world.signIn(identity()).signedIn().tokens.refreshToken
      for _ in 0..<10 {
        _ = try await world.refresh(token)
        world.advance(86_400)
        token = try await world.refresh(token).tokens.refreshToken
        world.advance(86_400)
      }
      _ = try await world.refresh(token)
    }
  }

  @Test func `a token whose successor was first used within the grace period returns the live one`()
    async throws
  {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn().tokens.refreshToken
      let second = try await world.refresh(first).tokens.refreshToken
      world.advance(3600)
      let third = try await world.refresh(second).tokens.refreshToken
      world.advance(59.999)
      #expect(try await world.refresh(first).tokens.refreshToken == third)
    }
  }

  @Test func `a token whose successor was first used before the grace period ends the session`()
    async throws
  {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      let first = signedIn.tokens.refreshToken
      let second = try await world.refresh(first).tokens.refreshToken
      world.advance(3600)
      let third = try await world.refresh(second)
      world.advance(60)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(first) }
      #expect(try await world.storedSession(signedIn.session.id).ended?.reason == .reuse)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(third.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(third.tokens.idToken)
      }
    }
  }

  @Test func `reuse invalidates a code for another address`() async throws {
    try await withWorld { world in
      let stolen = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      let code = try await world.sent(
        .emailChange(of: .idToken(stolen.tokens.idToken), to: try email("other@example.com")),
        to: "other@example.com")
      let first = stolen.tokens.refreshToken
      _ = try await world.refresh(try await world.refresh(first).tokens.refreshToken)
      world.advance(61)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(first) }
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    }
  }

  @Test func `reuse ends that session and no other`() async throws {
    try await withWorld { world in
      let stolen = try await world.signIn(identity()).signedIn()
      let other = try await world.signIn(identity()).signedIn()
      let first = stolen.tokens.refreshToken
      _ = try await world.refresh(try await world.refresh(first).tokens.refreshToken)
      world.advance(61)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(first) }
      _ = try await world.refresh(other.tokens.refreshToken)
      _ = try await world.currentUser(other.tokens.idToken)
    }
  }

  @Test func `without a grace period a token is valid until its successor is used`() async throws {
    try await withWorld({ $0.refreshGraceSeconds = 0 }) { world in
      let first = try await world.signIn(identity()).signedIn().tokens.refreshToken
      let second = try await world.refresh(first).tokens.refreshToken
      #expect(try await world.refresh(first).tokens.refreshToken == second)
      _ = try await world.refresh(second)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(first) }
    }
  }

  @Test func `within the grace period no number of refreshes makes another process a thief`()
    async throws
  {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn().tokens.refreshToken
      var token = first
      for _ in 0..<50 {
        world.advance(1)
        token = try await world.refresh(token).tokens.refreshToken
      }
      // The first token's successor was first used 48 seconds ago.
      world.advance(11.999)
      #expect(try await world.refresh(first).tokens.refreshToken == token)
      world.advance(0.001)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(first) }
    }
  }

  @Test func `at most four rotations happen within the grace period`() async throws {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      var token = signedIn.tokens.refreshToken
      var rotations: [Bool] = []
      // A refresh every 20 seconds, in the end after 40.
      for seconds in [0.0, 20, 19.999, 20, 0, 0.001, 0, 20] {
        world.advance(seconds)
        let next = try await world.refresh(token)
        _ = try await world.currentUser(next.tokens.idToken)
        rotations.append(next.tokens.refreshToken != token)
        token = next.tokens.refreshToken
      }
      #expect(rotations == [true, true, true, true, false, true, false, true])
      #expect(try await world.storedSession(signedIn.session.id).rotation == 6)
    }
  }

  @Test func `without a grace period each refresh rotates`() async throws {
    try await withWorld({ $0.refreshGraceSeconds = 0 }) { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      var token = signedIn.tokens.refreshToken
      for _ in 0..<10 { token = try await world.refresh(token).tokens.refreshToken }
      #expect(try await world.storedSession(signedIn.session.id).rotation == 10)
    }
  }

  @Test func `50 concurrent refreshes return one successor and keep the session`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn().tokens.refreshToken
      let results = await atOnce(50) { _ in try await world.refresh(first).tokens.refreshToken }
      let successors: [String] = results.successes()
      #expect(successors.count == 50)
      #expect(Set(successors).count == 1)
      world.advance(120)
      _ = try await world.refresh(try #require(successors.first))
    }
  }

  @Test func `a rotation number above the live one counts as the live one`() async throws {
    // The database was restored from a backup that is older than the token.
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      let ahead = RefreshTokenCodec(world.master).token(
        session: signedIn.session.id, rotation: 7, project: world.project.id)
      let next = try await world.refresh(ahead)
      #expect(try await world.storedSession(signedIn.session.id).rotation == 8)
      _ = try await world.refresh(next.tokens.refreshToken)
    }
  }

  @Test func `a session that is unused for a year ends`() async throws {
    try await withWorld { world in
      let used = try await world.signIn(identity()).signedIn()
      let idle = try await world.signIn(identity()).signedIn()
      world.advance(Session.idleSeconds - 1)
      let next = try await world.refresh(used.tokens.refreshToken)
      world.advance(1)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(idle.tokens.refreshToken)
      }
      _ = try await world.refresh(next.tokens.refreshToken)
    }
  }

  @Test func `a token with a wrong mac changes nothing`() async throws {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      let token = signedIn.tokens.refreshToken
      let forged = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
      await #expect(throws: AccountsError.invalidRefreshToken) { try await world.refresh(forged) }
      #expect(try await world.storedSession(signedIn.session.id).ended == nil)
      _ = try await world.refresh(token)
    }
  }

  @Test func `another project's token is invalid`() async throws {
    try await withWorld { world in
      let token = try await world.signIn(identity()).signedIn().tokens.refreshToken
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidRefreshToken) {
        try await world.refresh(token, in: other)
      }
    }
  }

  @Test func `an ID token in place of a refresh token is invalid`() async throws {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      await #expect(throws: AccountsError.invalidRefreshToken) {
        try await world.refresh(signedIn.tokens.idToken)
      }
    }
  }

  @Test func `a genuine token of an unknown session is reported as expired`() async throws {
    try await withWorld { world in
      let unknown = RefreshTokenCodec(world.master).token(
        session: SessionID(high: 1, low: 2), rotation: 0, project: world.project.id)
      await #expect(throws: AccountsError.tokenExpired) { try await world.refresh(unknown) }
    }
  }

  @Test func `with a deleted account's token the user isn't found`() async throws {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      try await world.accounts.deleteAccount(
        signedIn.account.uid, in: world.project, now: world.now)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.refresh(signedIn.tokens.refreshToken)
      }
    }
  }

  @Test func `a disabled account's token is rejected until the account is enabled`() async throws {
    try await withWorld { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(signedIn.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.refresh(signedIn.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.currentUser(signedIn.tokens.idToken)
      }
      _ = try await world.administer(signedIn.account.uid) { $0.isDisabled = false }
      _ = try await world.refresh(signedIn.tokens.refreshToken)
      _ = try await world.currentUser(signedIn.tokens.idToken)
    }
  }

  @Test func `the 101st session removes the least recently used one`() async throws {
    try await withWorld { world in
      let project = world.project.id
      let oldest = try await world.signIn(identity()).signedIn()
      world.advance(1)
      let used = try await world.signIn(identity()).signedIn()
      for _ in 0..<98 {
        world.advance(1)
        _ = try await world.signIn(identity())
      }
      world.advance(1)
      let token = try await world.refresh(oldest.tokens.refreshToken).tokens.refreshToken
      world.advance(1)
      _ = try await world.signIn(identity())
      _ = try await world.refresh(token)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(used.tokens.refreshToken)
      }
      let displaced = used.session.id
      #expect(try await world.store.read { try $0.session(displaced, in: project) } == nil)
    }
  }
}
