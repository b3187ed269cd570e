import Foundation
import GatehouseClient
import Testing

/// An app's user while the operator discards all signing keys, for instance because one was stolen.
@Suite struct DiscardedKeysTests {
  @Test func `a user stays signed in when the keys of the ID token are discarded`() async throws {
    try await Production.with { production, server, _ in
      let client = AuthClient(
        configuration: try ClientConfiguration(
          serverURL: try #require(URL(string: server.baseURL)), apiKey: production.apiKey,
          projectID: production.project),
        store: MemoryStore(), transport: URLSessionTransport())
      let user = try await client.createUser(email: Unique.email(), password: "correct horse").user
      let old = try #require(user.heldIDToken)

      #expect(try await production.command("keys", "rotate", "--discard-all", "--yes").status == 0)
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let isDiscarded = try await Deadline.wait {
        try await app.lookup(old.token).verdict == "400 INVALID_ID_TOKEN"
      }
      try #require(isDiscarded)

      try await user.reload()
      #expect(client.currentUser === user)
      #expect(user.heldIDToken != old)
    }
  }
}
