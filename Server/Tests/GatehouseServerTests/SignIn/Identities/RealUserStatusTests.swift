import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RealUserStatusTests {
  private func apple(
    _ status: RealUserStatus?, isPrivateEmail: Bool? = nil
  ) throws -> ExternalIdentity {
    var arriving = try identity(.apple, email: "ann@example.com")
    arriving.realUserStatus = status
    arriving.isPrivateEmail = isPrivateEmail
    return arriving
  }

  @Test(arguments: [nil, .unsupported, .unknown, .likelyReal] as [RealUserStatus?])
  func `the first status stays, whatever later tokens contain`(
    _ later: RealUserStatus?
  ) async throws {
    try await withWorld { world in
      let first = try await world.signIn(apple(.likelyReal)).signedIn()
      _ = try await world.signIn(apple(later))
      let stored = try await world.stored(first.account.uid)
      #expect(stored.identities.map(\.realUserStatus) == [.likelyReal])
    }
  }

  @Test func `a first status in a later token is stored`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(apple(nil)).signedIn()
      #expect(try await world.stored(first.account.uid).identities.first?.realUserStatus == nil)
      _ = try await world.signIn(apple(.unknown))
      #expect(
        try await world.stored(first.account.uid).identities.first?.realUserStatus == .unknown)
    }
  }

  @Test func `a status that the app sent stays until a token has one`() async throws {
    try await withWorld { world in
      var arriving = try apple(nil)
      arriving.realUserStatusFromApp = .likelyReal
      let uid = try await world.signIn(arriving).signedIn().account.uid
      arriving.realUserStatusFromApp = .unknown
      _ = try await world.signIn(arriving)
      var stored = try #require(try await world.stored(uid).identities.first)
      #expect(stored.realUserStatus == nil)
      #expect(stored.realUserStatusFromApp == .likelyReal)
      _ = try await world.signIn(apple(.unknown))
      _ = try await world.signIn(arriving)
      stored = try #require(try await world.stored(uid).identities.first)
      #expect(stored.realUserStatus == .unknown)
      #expect(stored.realUserStatusFromApp == nil)
    }
  }

  @Test func `a pending token keeps the status for an account linked later`() async throws {
    try await withWorld { world in
      let owner = try await world.signUp("ann@example.com")
      var arriving = try identity(.apple, email: "ann@example.com", .untrusted)
      arriving.realUserStatus = .likelyReal
      let asked = try await world.signIn(arriving)
      _ = try await world.repeatSignIn(
        try asked.confirmation().pendingToken, linkingTo: owner.tokens.idToken)
      let stored = try await world.stored(owner.account.uid)
      #expect(stored.identities.map(\.realUserStatus) == [.likelyReal])
    }
  }

  @Test func `each identity stores if its address is private; no claim changes nothing`()
    async throws
  {
    try await withWorld { world in
      let first = try await world.signIn(apple(nil, isPrivateEmail: true)).signedIn()
      _ = try await world.signIn(
        identity(.google, email: "other@example.com"), linkingTo: first.tokens.idToken)
      _ = try await world.signIn(apple(nil))
      let stored = try await world.stored(first.account.uid)
      #expect(stored.identities.map(\.isPrivateEmail) == [true, nil])
      _ = try await world.signIn(apple(nil, isPrivateEmail: false))
      #expect(
        try await world.stored(first.account.uid).identities.map(\.isPrivateEmail) == [false, nil])
    }
  }
}
