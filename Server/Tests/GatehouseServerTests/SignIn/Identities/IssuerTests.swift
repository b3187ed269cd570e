import GatehouseServer
import GatehouseProtocol
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
      let page = try await world.store.write { [id = world.project.id] in
        try $0.moveIdentities(
          of: provider, from: "https://a.example.com", to: "https://b.example.com", after: nil,
          limit: 10, in: id)
      }
      #expect(page.moved == 1)
      #expect(page.last == nil)
      let again = try await world.signIn(from("https://b.example.com", "ann")).signedIn()
      #expect(again.account.uid == ann.account.uid)
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(from("https://b.example.com", "carl"))
      }
    }
  }
}

/// An import or an administrator links an identity of Microsoft, whose tenants are separate issuers.
@Suite struct IssuerOfLinkedIdentityTests {
  /// The tenant in the provider's configuration, and the tenant of a user who may sign in then.
  static let settings: [(String, String)] = [
    ("common", work), ("organizations", work), ("consumers", personal), (work, work),
    (work.uppercased(), work),
  ]
  private static let work = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  private static let other = "0b3f5c1e-9f5a-4c65-8c35-0f6b3d3f5a11"
  private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

  private static func issuer(_ tenant: String) -> String {
    "https://login.microsoftonline.com/\(tenant)/v2.0"
  }

  private func ann(of tenant: String) throws -> ExternalIdentity {
    var identity = try identity(.named("microsoft.com"), "ann")
    identity.issuer = Self.issuer(tenant)
    return identity
  }

  private func assigned() throws -> AssignedIdentity {
    AssignedIdentity(provider: try .named("microsoft.com"), subject: try subject("ann"))
  }

  /// Lets Microsoft's accounts of the tenant sign in.
  private func allow(_ tenant: String, in world: World) async throws {
    var provider = ProviderConfiguration(
      id: try .named("microsoft.com"), clientID: "client", trustEmail: .never)
    provider.isEnabled = true
    provider.issuer = Self.issuer(tenant)
    let (saved, project) = (provider, world.project.id)
    try await world.store.write { try $0.save(saved, in: project) }
  }

  @Test(arguments: settings)
  func `an identity that an administrator links signs in`(
    setting: String, tenant: String
  ) async throws {
    try await withWorld { world in
      try await allow(setting, in: world)
      let linked = try await world.create { $0.link = try assigned() }
      let signedIn = try await world.signIn(ann(of: tenant)).signedIn()
      #expect(signedIn.account.uid == linked.uid)
      let stored = try await world.stored(linked.uid)
      #expect(stored.identities.map(\.issuer) == [Self.issuer(tenant)])
    }
  }

  @Test(arguments: settings)
  func `an imported identity signs in`(setting: String, tenant: String) async throws {
    try await withImportWorld { world in
      try await allow(setting, in: world.world)
      let row = try imported("ann") { $0.identities = [try assigned()] }
      #expect(try await world.importAccounts([row]).imported == 1)
      let signedIn = try await world.world.signIn(ann(of: tenant)).signedIn()
      #expect(signedIn.account.uid == row.uid)
    }
  }

  @Test func `the same subject of another tenant doesn't sign in`() async throws {
    try await withWorld { world in
      try await allow(Self.work, in: world)
      _ = try await world.create { $0.link = try assigned() }
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.signIn(ann(of: Self.other))
      }
    }
  }

  @Test func `the issuer of a token is kept when the identity is linked again`() async throws {
    try await withImportWorld { world in
      try await allow("organizations", in: world.world)
      let user = try await world.world.signIn(ann(of: Self.work)).signedIn().account
      let linked = try await world.world.administer(user.uid) { $0.link = try assigned() }
      #expect(linked.identities.map(\.issuer) == [Self.issuer(Self.work)])
      let row = try imported(user.uid.text) { $0.identities = [try assigned()] }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      await #expect(throws: AccountsError.issuerChanged) {
        try await world.world.signIn(ann(of: Self.other))
      }
      world.world.advance(1)
      let again = try await world.world.signIn(ann(of: Self.work)).signedIn()
      #expect(again.account.uid == user.uid)
    }
  }

  @Test func `another subject doesn't get the issuer of the replaced identity`() async throws {
    try await withWorld { world in
      try await allow("organizations", in: world)
      let user = try await world.signIn(ann(of: Self.work)).signedIn().account
      let linked = try await world.administer(user.uid) {
        $0.link = AssignedIdentity(
          provider: try .named("microsoft.com"), subject: try subject("bob"))
      }
      #expect(linked.identities.map(\.issuer) == [nil])
    }
  }
}
