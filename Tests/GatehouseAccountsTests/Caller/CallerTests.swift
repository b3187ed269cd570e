import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens
import Testing

/// Whose ID token is still good.
@Suite struct CallerTests {
  @Test func `a fresh token names its account and session`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let caller = try await world.caller(ann.tokens.idToken)
      #expect(caller.account.uid == ann.account.uid)
      #expect(caller.session.id == ann.session.id)
    }
  }

  @Test func `it is good for an hour and the skew, and no longer`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(3659)
      _ = try await world.caller(ann.tokens.idToken)
      world.advance(0.5)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.caller(ann.tokens.idToken)
      }
    }
  }

  @Test func `another project refuses it`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.caller(ann.tokens.idToken, in: other)
      }
    }
  }

  @Test func `another project refuses it although it has the same account id`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let other = try await world.otherProject()
      _ = try await world.accounts.createAccount(
        uid: ann.account.uid, AdministratorChanges(), in: other, now: world.now)
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.caller(ann.tokens.idToken, in: other)
      }
    }
  }

  @Test func `a tampered one is refused in each of its parts`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let parts = ann.tokens.idToken.split(separator: ".").map(String.init)
      for index in parts.indices {
        var changed = parts
        changed[index] = parts[index].tampered
        await #expect(throws: AccountsError.invalidIDToken) {
          try await world.caller(changed.joined(separator: "."))
        }
      }
    }
  }

  @Test func `one signed by us with the same claims is accepted`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.key())
      _ = try await world.caller(token)
    }
  }

  @Test func `one signed by a stranger's key is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.strangersKey())
      await #expect(throws: AccountsError.invalidIDToken) { try await world.caller(token) }
    }
  }

  @Test func `an expired one by a stranger's key is invalid, not expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.strangersKey())
      world.advance(10_000)
      await #expect(throws: AccountsError.invalidIDToken) { try await world.caller(token) }
    }
  }

  @Test func `one without a session id is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.key(), sid: nil)
      await #expect(throws: AccountsError.invalidIDToken) { try await world.caller(token) }
    }
  }

  @Test func `one of a session that isn't known has expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(
        of: ann, signedBy: SharedKey.key(), sid: SessionID(high: 1, low: 1).description)
      await #expect(throws: AccountsError.tokenExpired) { try await world.caller(token) }
    }
  }

  @Test func `one of another account's session has expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let bob = try await world.signIn(identity(.google, "bob")).signedIn()
      let token = try Self.token(
        of: ann, signedBy: SharedKey.key(), sid: bob.session.id.description)
      await #expect(throws: AccountsError.tokenExpired) { try await world.caller(token) }
    }
  }

  @Test(arguments: ["", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
  func `another text is refused`(text: String) async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.invalidIDToken) { try await world.caller(text) }
    }
  }

  @Test func `a revocation in the very second of the sign-in counts`() async throws {
    try await withWorld { world in
      // The last tenth of a millisecond of a second: a store that rounds must not move it.
      world.advance(0.4998)
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = Date(timeIntervalSince1970: 1_800_000_000)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.caller(ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
    }
  }

  @Test func `a session outlives a clock that is set back`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(-3600)
      let refreshed = try await world.refresh(ann.tokens.refreshToken)
      _ = try await world.caller(refreshed.tokens.idToken)
      // What is revoked stays so, also with a token of the hour that comes again.
      world.advance(3601)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.caller(refreshed.tokens.idToken)
      }
    }
  }

  @Test func `a sign-in after a revocation in the same second is good`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      world.advance(0.1)
      let again = try await world.signIn(identity()).signedIn()
      _ = try await world.caller(again.tokens.idToken)
      _ = try await world.refresh(again.tokens.refreshToken)
    }
  }

  /// What the issuer writes, with another key or session id.
  private static func token(
    of signedIn: SignedIn, signedBy key: RSASigningKey, sid: String? = "own"
  ) throws -> String {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", "https://auth.example.com/test-project")
      claims.string("aud", "test-project")
      claims.string("sub", signedIn.account.uid.text)
      claims.date("iat", World.start)
      claims.date("exp", World.start.addingTimeInterval(3600))
      claims.object("firebase") {
        $0.string("sid", ifPresent: sid == "own" ? signedIn.session.id.description : sid)
      }
    }
    return try TokenWriter(signer: RS256Signer(key: key)).token(payload: payload)
  }
}
