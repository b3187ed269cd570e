import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens
import Testing

/// Pre-hijacking: an attacker makes the account of a victim's address before the victim comes.
@Suite struct TakeOverTests {
  @Test func `the attacker's password is dead`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      world.advance(60)
      let victim = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      #expect(victim.account.uid == attacker.account.uid)
      #expect(victim.account.isEmailVerified)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("victim@example.com")
      }
    }
  }

  @Test func `the attacker's other identity is dead`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      _ = try await world.signIn(
        identity(.facebook, "attacker"), linkingTo: attacker.tokens.idToken
      ).signedIn()
      world.advance(60)
      let victim = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      #expect(victim.account.identities.map(\.provider) == [.apple])
      let back = try await world.signIn(identity(.facebook, "attacker")).signedIn()
      #expect(back.account.uid != victim.account.uid)
    }
  }

  @Test func `the attacker's tokens are dead, in the very second too`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.caller(attacker.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(attacker.tokens.refreshToken)
      }
    }
  }

  @Test func `the attacker's pending token doesn't lead back`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      let linked = try await world.signIn(
        identity(.facebook, "attacker"), linkingTo: attacker.tokens.idToken
      ).signedInWithPending()
      world.advance(60)
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(linked.pendingToken)
      }
    }
  }

  @Test func `nothing that the attacker wrote is left`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp(
        "victim@example.com", name: "Call 555-0100", photo: "https://evil.example/pixel")
      _ = try await world.administer(attacker.account.uid) {
        $0.phoneNumber = .set("+15550100")
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"role":"admin"}"#))
      }
      world.advance(60)
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      let stored = try await world.stored(attacker.account.uid)
      #expect(stored.password == nil)
      #expect(stored.passwordUpdatedAt == nil)
      #expect(stored.phoneNumber == nil)
      #expect(stored.customClaims == nil)
      #expect(stored.displayName == nil)
      #expect(stored.photoURL == nil)
    }
  }

  @Test func `an attacker who came by an untrusted provider is out`() async throws {
    try await withWorld { world in
      let attacker = try await world.signIn(
        identity(.facebook, "attacker", email: "victim@example.com", .untrusted)
      ).signedIn()
      world.advance(60)
      let victim = try await world.signIn(identity(.google, email: "victim@example.com")).signedIn()
      #expect(victim.account.identities.map(\.provider) == [.google])
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(attacker.tokens.refreshToken)
      }
    }
  }

  @Test func `an unproven address takes nothing over`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signIn(identity(.facebook, email: "ann@example.com", .untrusted))
        .confirmation()
      _ = try await world.signIn("ann@example.com")
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }
}
