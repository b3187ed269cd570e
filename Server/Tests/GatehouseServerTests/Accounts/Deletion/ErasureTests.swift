import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// What is left of a user after a deletion, and of a provider after its unlinking.
@Suite struct ErasureTests {
  @Test func `the tombstones of a deleted account tell nothing about its user`() async throws {
    try await withWorld { world in
      var google = try identity(.google)
      google.signInAttributes = SignInAttributes(written: "{\"hd\":\"example.com\"}")
      let ann = try await world.signIn(google).signedIn()
      #expect(try await world.storedSession(ann.session.id).signInAttributes != nil)
      try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
      let tombstone = try await world.storedSession(ann.session.id)
      #expect(tombstone.ended?.reason == .accountDeleted)
      #expect(tombstone.signInAttributes == nil)
      #expect(tombstone.developerClaims == nil)
    }
  }

  @Test func `unlinking erases the name and photo that came from the provider`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.google, name: "Ann Google", photo: "https://example.com/ann.png")
      ).signedIn()
      let account = try await world.update(ann.tokens.idToken) {
        $0.unlinkedProviders = [.google]
      }.account
      #expect(account.displayName == nil)
      #expect(account.photoURL == nil)
    }
  }

  @Test func `another provider's name doesn't take its place`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, name: "Ann Google")).signedIn()
      _ = try await world.signIn(
        identity(.facebook, "1001", name: "Ann Facebook"), linkingTo: ann.tokens.idToken)
      let account = try await world.update(ann.tokens.idToken) {
        $0.unlinkedProviders = [.google]
      }.account
      #expect(account.displayName == nil)
    }
  }

  @Test func `a name that the user chose stays`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, name: "Ann Google")).signedIn()
      let account = try await world.update(ann.tokens.idToken) {
        $0.displayName = .set("Annie")
        $0.unlinkedProviders = [.google]
      }.account
      #expect(account.displayName == "Annie")
    }
  }

  @Test func `a name that an administrator set stays, even if the provider has the same`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, name: "Ann Google")).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.profile.displayName = .set("Ann Google")
      }
      let account = try await world.update(ann.tokens.idToken) {
        $0.unlinkedProviders = [.google]
      }.account
      #expect(account.displayName == "Ann Google")
    }
  }
}
