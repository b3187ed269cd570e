import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct ReceiptTests {
  private func delete(
    _ signedIn: SignedIn, _ world: World
  ) async throws -> (deletion: Deletion, receipt: String) {
    try await world.accounts.delete(
      idToken: signedIn.tokens.idToken, in: world.project, now: world.now)
  }

  private func payload(_ receipt: String) throws -> JSONObject {
    let parts = receipt.split(separator: ".")
    return try JSONObject(parsing: try #require(Base64URL.decode(String(parts[1]))))
  }

  @Test func `a receipt says what was erased, and when`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.facebook, "1001", email: "ann@example.com", name: "Ann Example")
      ).signedIn()
      let receipt = try await delete(ann, world).receipt
      let claims = try payload(receipt)
      #expect(claims["iss"]?.string == "https://auth.example.com/test-project")
      #expect(claims["iat"]?.int64 == 1_800_000_000)
      let deletion = try #require(claims["deletion"]?.object)
      #expect(deletion["state"]?.string == "erased")
      #expect(deletion["requested_by"]?.string == "user")
      #expect(deletion["erased_at"]?.int64 == 1_800_000_000)
      #expect(deletion["identities"] == ["facebook.com"])
      #expect(deletion["revocations_queued"] == ["facebook.com"])
      #expect(deletion["provider_tokens"]?.int64 == 0)
    }
  }

  @Test func `it names the account only to those who know its id`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.google, "1001", email: "ann@example.com", name: "Ann Example")
      ).signedIn()
      let claims = try payload(try await delete(ann, world).receipt)
      let text = JSONValue.object(claims).text()
      for personal in ["ann@example.com", "Ann Example", "1001", ann.account.uid.text] {
        #expect(!text.contains(personal))
      }
      let known = "https://auth.example.com/test-project\n\(ann.account.uid.text)"
      #expect(
        claims["deletion"]?["account"]?.string
          == Base64URL.encode(Array(SHA256.hash(data: Array(known.utf8)))))
    }
  }

  @Test func `it is signed with the key of ID tokens, and no ID token`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let receipt = try await delete(ann, world).receipt
      let token = try UnverifiedToken(receipt)
      #expect(token.header.type == "deletion-receipt+jwt")
      let keys = try SharedKey.keys().keySet
      #expect(keys.keys.contains { $0.keyID == token.header.keyID })
      await #expect(throws: AccountsError.invalidIDToken) { try await world.currentUser(receipt) }
    }
  }

  @Test func `with a grace period it says when the account will be erased`() async throws {
    try await withWorld({ $0.deletionGraceDays = 2 }) { world in
      let ann = try await world.signUp("ann@example.com")
      let deletion = try payload(try await delete(ann, world).receipt)["deletion"]?.object
      #expect(deletion?["state"]?.string == "scheduled")
      #expect(deletion?["erases_at"]?.int64 == 1_800_172_800)
      #expect(deletion?["erased_at"] == nil)
    }
  }

  @Test func `an administrator's receipt says who asked`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let done = try await world.accounts.deleteAccount(
        ann.account.uid, in: world.project, now: world.now)
      let deletion = try payload(done.receipt)["deletion"]?.object
      #expect(deletion?["requested_by"]?.string == "administrator")
    }
  }

  @Test func `two receipts have different ids`() async throws {
    try await withWorld { world in
      let first = try await delete(try await world.signUp("ann@example.com"), world).receipt
      let second = try await delete(try await world.signUp("ann@example.com"), world).receipt
      #expect(try payload(first)["jti"] != payload(second)["jti"])
    }
  }
}
