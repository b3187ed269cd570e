import Foundation
import GatehouseClient
import Testing

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

  @Test func `a revocation that was begun may have happened, and isn't complete`() {
    var record = DeletionRecord(uid: "alice")
    record.begin(.apple, at: Self.revokedAt)
    let before = RecentSignInTests.token(authenticatedAt: Self.revokedAt, provider: .apple)
    #expect(record.revoked(consideringSignIn: before) == [])
    #expect(record.maybeRevoked(consideringSignIn: before) == [.apple])
    let after = RecentSignInTests.token(authenticatedAt: Self.revokedAt + 6, provider: .apple)
    #expect(record.maybeRevoked(consideringSignIn: after) == [])
    #expect(DeletionRecord(record.data, for: "alice") == record)
    record.add(.apple, at: Self.revokedAt)
    #expect(record.revoked(consideringSignIn: before) == [.apple])
    let isBegun = record.abandon(.apple)
    #expect(!isBegun)
  }
}
