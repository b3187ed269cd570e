import GatehouseAccounts
import GatehouseModel
import Testing

/// A subject is unique within its issuer (OpenID Connect Core §2), and an operator may give a
/// provider another issuer.
@Suite struct IssuerTests {
  private func from(_ issuer: String?, _ name: String = "ann") throws -> ExternalIdentity {
    var identity = try identity(.named("oidc.example"), name)
    identity.issuer = issuer
    return identity
  }

  @Test func `the same subject of the same issuer signs in`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(from("https://a.example.com")).signedIn()
      let again = try await world.signIn(from("https://a.example.com")).signedIn()
      #expect(again.account.uid == first.account.uid)
    }
  }

  @Test func `the same subject of another issuer doesn't sign in`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(from("https://a.example.com")).signedIn()
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(from("https://b.example.com"))
      }
    }
  }

  @Test func `the same subject of another issuer isn't linked`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(from("https://a.example.com")).signedIn()
      let bob = try await world.signIn(identity(.google, "bob")).signedIn()
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(from("https://b.example.com"), linkingTo: bob.tokens.idToken)
      }
    }
  }

  @Test func `an identity stored without an issuer gets the first that signs in`() async throws {
    try await withWorld { world in
      let before = try await world.signIn(from(nil)).signedIn()
      let after = try await world.signIn(from("https://a.example.com")).signedIn()
      #expect(after.account.uid == before.account.uid)
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(from("https://b.example.com"))
      }
    }
  }

  @Test func `a pending token keeps the issuer`() async throws {
    try await withWorld { world in
      let pending = try await world.signIn(from("https://a.example.com"), ifNew: .ask).asked()
      let made = try await world.repeatSignIn(pending).signedIn()
      #expect(made.account.identities.map(\.issuer) == ["https://a.example.com"])
    }
  }

  @Test func `the operator moves the identities to the new issuer`() async throws {
    try await withWorld { world in
      let provider = try ProviderID.named("oidc.example")
      let ann = try await world.signIn(from("https://a.example.com", "ann")).signedIn()
      _ = try await world.signIn(from("https://c.example.com", "carl")).signedIn()
      let moved = try await world.store.moveIdentities(
        of: provider, from: "https://a.example.com", to: "https://b.example.com",
        in: world.project.id)
      #expect(moved == 1)
      let again = try await world.signIn(from("https://b.example.com", "ann")).signedIn()
      #expect(again.account.uid == ann.account.uid)
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(from("https://b.example.com", "carl"))
      }
    }
  }
}
