import Foundation
import GatehouseClient
import GatehouseJSON
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
    #expect(token.isRecent(within: .seconds(300), now: Self.now) == isRecent)
  }

  @Test func `a project may have a shorter limit`() {
    let token = Self.token(authenticatedAt: Self.now.addingTimeInterval(-60))
    #expect(token.isRecent(within: .seconds(61), now: Self.now))
    #expect(!token.isRecent(within: .seconds(60), now: Self.now))
  }

  static func token(authenticatedAt: Date, provider: Provider = .apple) -> IDToken {
    IDToken(
      token: "e30.e30.c2ln", issuedAt: now, expiresAt: now + 3600,
      authenticatedAt: authenticatedAt, signInProvider: provider, secondFactor: nil, claims: [:])
  }
}

@Suite struct DeletionRecordTests {
  private static let revokedAt = Date(timeIntervalSince1970: 1_800_000_000.25)

  private static var record: DeletionRecord {
    var record = DeletionRecord(uid: "alice")
    record.add(.apple, at: revokedAt)
    return record
  }

  @Test func `a record is read again for its own account`() {
    #expect(DeletionRecord(Self.record.data, for: "alice") == Self.record)
  }

  @Test func `a record of another account isn't read`() {
    #expect(DeletionRecord(Self.record.data, for: "bob") == nil)
  }

  @Test(arguments: ["", "null", "{}", "{\"version\":2,\"uid\":\"alice\",\"revocations\":[]}"])
  func `an unreadable record isn't read`(text: String) {
    #expect(DeletionRecord(Data(text.utf8), for: "alice") == nil)
  }

  @Test(arguments: [
    // Sign-ins before the revocation; on the server, the revocation itself counts as one.
    (Provider.apple, -3600.0, [Provider.apple]), (.apple, 1, [.apple]),
    // A new authorization.
    (.apple, 6, []), (.apple, 3600, []),
    // A sign-in with another provider.
    (.google, 3600, [.apple]),
  ])
  func `a revocation counts until the user signs in by that provider`(
    provider: Provider, seconds: Double, revoked: [Provider]
  ) {
    let token = RecentSignInTests.token(
      authenticatedAt: Self.revokedAt + seconds, provider: provider)
    #expect(Self.record.revoked(consideringSignIn: token) == revoked)
  }
}
