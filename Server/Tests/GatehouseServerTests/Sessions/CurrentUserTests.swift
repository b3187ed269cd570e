import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Which ID tokens are valid.
@Suite struct CallerTests {
  @Test func `a fresh token names its account and session`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let user = try await world.currentUser(ann.tokens.idToken)
      #expect(user.account.uid == ann.account.uid)
      #expect(user.session.id == ann.session.id)
    }
  }

  @Test func `a token is valid for an hour and the skew, and no longer`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(3659)
      _ = try await world.currentUser(ann.tokens.idToken)
      world.advance(0.5)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
    }
  }

  @Test func `another project rejects a token`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.currentUser(ann.tokens.idToken, in: other)
      }
    }
  }

  @Test func `another project with the same account id rejects a token`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let other = try await world.otherProject()
      _ = try await world.accounts.createAccount(
        uid: ann.account.uid, AdministratorChanges(), in: other, now: world.now)
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.currentUser(ann.tokens.idToken, in: other)
      }
    }
  }

  @Test func `a token that was altered in any part is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let parts = ann.tokens.idToken.split(separator: ".").map(String.init)
      for index in parts.indices {
        var changed = parts
        changed[index] = parts[index].tampered
        await #expect(throws: AccountsError.invalidIDToken) {
          try await world.currentUser(changed.joined(separator: "."))
        }
      }
    }
  }

  @Test func `a token with the same claims and our signature is accepted`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.key())
      _ = try await world.currentUser(token)
    }
  }

  @Test func `a token signed with another key is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.strangersKey())
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(token) }
    }
  }

  @Test func `an expired token signed with another key is invalid, not expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.strangersKey())
      world.advance(10_000)
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(token) }
    }
  }

  @Test func `a token without a session id is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(of: ann, signedBy: SharedKey.key(), sid: nil)
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(token) }
    }
  }

  @Test func `a token of an unknown session is reported as expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let token = try Self.token(
        of: ann, signedBy: SharedKey.key(), sid: SessionID(high: 1, low: 1).description)
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(token) }
    }
  }

  @Test func `a token with another account's session is reported as expired`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let bob = try await world.signIn(identity(.google, "bob")).signedIn()
      let token = try Self.token(
        of: ann, signedBy: SharedKey.key(), sid: bob.session.id.description)
      await #expect(throws: AccountsError.tokenExpired) { try await world.currentUser(token) }
    }
  }

  @Test(arguments: ["", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
  func `a text that is no ID token is rejected`(text: String) async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(text) }
    }
  }

  @Test func `a revocation in the second of the sign-in ends its session`() async throws {
    try await withWorld { world in
      // In the last milliseconds of a second: a store that rounds up must not move the time.
      world.advance(0.4998)
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = Date(timeIntervalSince1970: 1_800_000_000)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
    }
  }

  @Test func `a session stays valid if the clock is set back`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(-3600)
      let refreshed = try await world.refresh(ann.tokens.refreshToken)
      _ = try await world.currentUser(refreshed.tokens.idToken)
      // A revocation also ends tokens that were issued while the clock was behind.
      world.advance(3601)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(refreshed.tokens.idToken)
      }
    }
  }

  @Test func `a sign-in after a revocation in the same second is valid`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      world.advance(0.1)
      let again = try await world.signIn(identity()).signedIn()
      _ = try await world.currentUser(again.tokens.idToken)
      _ = try await world.refresh(again.tokens.refreshToken)
    }
  }

  /// A token like the server's, with another key or session id.
  private static func token(
    of signedIn: SignedIn, signedBy key: RSASigningKey, sid: String? = "own"
  ) throws -> String {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", "https://auth.example.com/test-project")
      claims.string("aud", "test-project")
      claims.string("sub", signedIn.account.uid.text)
      claims.date("auth_time", World.start)
      claims.date("iat", World.start)
      claims.date("exp", World.start.addingTimeInterval(3600))
      claims.object("firebase") {
        $0.string("sid", ifPresent: sid == "own" ? signedIn.session.id.description : sid)
      }
    }
    return try TokenWriter(signer: RS256Signer(key: key)).token(payload: payload)
  }
}
