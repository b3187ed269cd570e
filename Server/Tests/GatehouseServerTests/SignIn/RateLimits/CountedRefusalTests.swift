import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// An attempt stays counted for any response, and no password is hashed if it can't succeed.
@Suite struct CountedRefusalTests {
  private func withLimit(
    _ count: Int, _ policies: (inout ProjectPolicies) -> Void = { _ in },
    body: (World) async throws -> Void
  ) async throws {
    try await withWorld(
      {
        $0.rateLimits.signUpsPerAddress = count
        $0.rateLimits.codesPerAddress = count
        policies(&$0)
      }, body: body)
  }

  @Test func `repeated changes of the address without consent are counted`() async throws {
    try await withLimit(3, { $0.linkConsent = .always }) { world in
      let ann = try await world.signIn(identity()).signedIn()
      for number in 1...3 {
        await #expect(throws: AccountsError.consentRequired([.identity(.google), .email])) {
          try await world.update(ann.tokens.idToken) {
            $0.email = .set(try email("free\(number)@example.com"))
          }
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("x@example.com")) }
      }
    }
  }

  @Test func `changes that would remove the last credential are counted`() async throws {
    try await withLimit(3, { $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signIn(identity()).signedIn()
      for number in 1...3 {
        await #expect(throws: AccountsError.lastCredential) {
          try await world.update(ann.tokens.idToken) {
            $0.email = .set(try email("free\(number)@example.com"))
            $0.unlinkedProviders = [.google]
          }
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.update(ann.tokens.idToken) {
          $0.email = .set(try email("x@example.com"))
          $0.unlinkedProviders = [.google]
        }
      }
    }
  }

  @Test func `refused upgrades are counted`() async throws {
    try await withLimit(3, { $0.linkConsent = .always }) { world in
      let ann = try await world.signIn(identity()).signedIn()
      for number in 1...3 {
        await #expect(throws: AccountsError.consentRequired([.identity(.google), .email])) {
          try await world.upgrade(ann.tokens.idToken, "free\(number)@example.com")
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.upgrade(ann.tokens.idToken, "x@example.com")
      }
    }
  }

  @Test func `codes for addresses without an account are counted`() async throws {
    try await withLimit(3) { world in
      for number in 1...3 {
        await #expect(throws: AccountsError.emailNotFound) {
          try await world.ask(.passwordReset(try email("nobody\(number)@example.com")))
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.ask(.passwordReset(try email("x@example.com")))
      }
    }
  }

  @Test func `a refused attempt changes nothing`() async throws {
    try await withLimit(3, { $0.linkConsent = .always }) { world in
      let ann = try await world.signIn(identity()).signedIn()
      await #expect(throws: AccountsError.consentRequired([.identity(.google), .email])) {
        try await world.upgrade(ann.tokens.idToken, "free@example.com")
      }
      #expect(try await world.stored(ann.account.uid).email == nil)
      _ = try await world.currentUser(ann.tokens.idToken)
    }
  }

  /// Hashes nothing, and throws if it is called.
  private struct NoHashing: PasswordHashing {
    struct Asked: Error {}
    func hash(_ password: Secret<String>) async throws -> PasswordHash { throw Asked() }
    func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool {
      throw Asked()
    }
    func isOutdated(_ hash: PasswordHash) -> Bool { false }
  }

  @Test func `an upgrade that an old session may not request costs no hash`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(361)
      let service = try World.service(
        store: world.store, master: world.master, passwords: NoHashing())
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await service.upgrade(
          idToken: ann.tokens.idToken, email: try email("ann@example.com"),
          password: Secret("notasecret"), displayName: nil, from: .unknown,
          in: world.project, now: world.now)
      }
    }
  }
}
