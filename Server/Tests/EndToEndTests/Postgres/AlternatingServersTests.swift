import Foundation
import Testing

/// Google's Admin SDK, and a client, behind a proxy that sends requests to two servers in turn.
@Suite struct AlternatingServersTests {
  @Test(arguments: [
    "admin_accounts.py", "admin_tokens.py", "admin_providers.py", "admin_errors.py",
    "client_sdk.py",
  ])
  func `clients don't notice that each request reaches another server`(
    client: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let first = try await GatehouseServer.start(database.options(), in: folder)
      defer { first.process.kill() }
      // Both servers use the simulator of the first.
      let providers = ["--set", "providers.baseURL=\(first.simulatorURL)"]
      let second = try await GatehouseServer.start(database.options(providers), in: folder)
      defer { second.process.kill() }
      try await Python.serve("alternating_proxy.py", [first.baseURL, second.baseURL]) { proxy in
        let url = try #require(proxy["url"].string)
        try await Python.run(
          client,
          environment: [
            "GATEHOUSE_BASE": url, "GATEHOUSE_SIMULATOR": first.simulatorURL,
            "FIREBASE_AUTH_EMULATOR_HOST": url.replacing("http://", with: ""),
          ])
        let counts = try await HTTP.get(url + "/proxy/counts").json.array.compactMap(\.number)
        #expect(counts.count == 2 && counts.allSatisfy { $0 > 0 })
      }
    }
  }
}
