import GatehouseServer
import GatehouseProtocol
import Testing

/// What an operation costs behind a network: each round trip takes as long as the network's latency.
@Suite struct RoundTripTests {
  /// How often `body` waits for the database.
  private func count(
    _ world: World, _ body: () async throws -> Void
  ) async throws -> Int {
    let store = try #require(world.store as? PostgresStore)
    let before = store.roundTrips
    try await body()
    return store.roundTrips - before
  }

  @Test func `a refresh takes two`() async throws {
    try await withWorld(onPostgres: true) { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      world.advance(60)
      let count = try await count(world) {
        _ = try await world.refresh(signedIn.tokens.refreshToken)
      }
      #expect(count == 2)
    }
  }

  @Test(arguments: [ProviderID.google, .apple])
  func `a returning sign-in takes two`(_ provider: ProviderID) async throws {
    try await withWorld(onPostgres: true) { world in
      let known = try identity(provider, email: "ann@example.com", name: "Ann")
      _ = try await world.signIn(known.once(1))
      world.advance(60)
      let count = try await count(world) { _ = try await world.signIn(known.once(2)) }
      #expect(count == 2)
    }
  }

  @Test func `a first sign-in takes three`() async throws {
    try await withWorld(onPostgres: true) { world in
      // The first one also asks for the project's key.
      _ = try await world.signIn(identity(.google, "first", email: "first@example.com").once(1))
      let count = try await count(world) {
        _ = try await world.signIn(
          identity(.google, "second", email: "second@example.com").once(2))
      }
      #expect(count == 3)
    }
  }

  @Test func `finding the user of an ID token takes one`() async throws {
    try await withWorld(onPostgres: true) { world in
      let signedIn = try await world.signIn(identity()).signedIn()
      let count = try await count(world) {
        _ = try await world.currentUser(signedIn.tokens.idToken)
      }
      #expect(count == 1)
    }
  }

  @Test func `a token of a request that failed isn't used, also if it was foreseen`() async throws {
    try await withWorld(onPostgres: true) { world in
      let known = try identity()
      _ = try await world.signIn(known.once(1))
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(known.once(1))
      }
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(known.once(2, nonce: 1))
      }
      // The token of the refused request.
      _ = try await world.signIn(known.once(2))
    }
  }
}
