import Foundation
import GatehouseClient
import Testing

@Suite struct RecentSignInTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(arguments: [
    (0.0, true), (299, true), (299.9, true), (300, false), (86_400, false),
    // The tolerance for the estimated server time.
    (-60, true), (-61, false), (-86_400, false),
  ])
  func `a sign-in is recent for five minutes of the server's time`(age: Double, isRecent: Bool) {
    let token = Self.token(authenticatedAt: Self.now.addingTimeInterval(-age))
    #expect(token.isRecent(within: 300, now: Self.now) == isRecent)
  }

  @Test func `a project may have a shorter limit`() {
    let token = Self.token(authenticatedAt: Self.now.addingTimeInterval(-60))
    #expect(token.isRecent(within: 61, now: Self.now))
    #expect(!token.isRecent(within: 60, now: Self.now))
  }

  static func token(authenticatedAt: Date, provider: Provider = .apple) -> IDToken {
    IDToken(
      token: "e30.e30.c2ln", issuedAt: now, expiresAt: now + 3600,
      authenticatedAt: authenticatedAt, signInProvider: provider, secondFactor: nil, claims: [:])
  }
}
