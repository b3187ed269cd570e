import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// The limit for providers' tokens without a nonce, which can be presented any number of times.
@Suite struct SignInsPerIdentityTests {
  private func withLimit(
    _ count: Int, body: (World) async throws -> Void
  ) async throws {
    try await withWorld({ $0.rateLimits.signInsPerIdentity = count }, body: body)
  }

  @Test func `more sign-ins with an identity than allowed in ten minutes are refused`() async throws
  {
    try await withLimit(3) { world in
      for _ in 1...3 { _ = try await world.signIn(identity()).signedIn() }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.signIn(identity()) }
      world.advance(600)
      _ = try await world.signIn(identity()).signedIn()
    }
  }

  @Test func `another identity isn't affected`() async throws {
    try await withLimit(3) { world in
      for _ in 1...3 { _ = try await world.signIn(identity()).signedIn() }
      _ = try await world.signIn(identity(.google, "bob")).signedIn()
    }
  }

  @Test func `sign-ins with single-use tokens aren't limited`() async throws {
    try await withLimit(3) { world in
      for number in 1...5 as ClosedRange<UInt8> {
        _ = try await world.signIn(identity().once(number)).signedIn()
      }
    }
  }

  @Test func `sessions beyond an account's maximum leave no rows`() async throws {
    try await withWorld { world in
      let project = world.project.id
      let uid = try await world.signIn(identity()).signedIn().account.uid
      for _ in 0..<150 {
        world.advance(1)
        _ = try await world.signIn(identity())
      }
      let rows = try await world.store.read {
        try $0.countLiveSessions(of: uid, onDevice: [], in: project).all
      }
      #expect(rows == Session.maximumPerAccount)
    }
  }

  @Test func `repeated new accounts of one identity are counted`() async throws {
    try await withLimit(3) { world in
      for round in 0...3 {
        let ann = try await world.signIn(identity()).signedIn()
        #expect(ann.isNewUser, "round \(round)")
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.signIn(identity()) }
      #expect(try await world.count() == 0)
    }
  }
}
