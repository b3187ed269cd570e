import Testing

/// Passkeys of others: an authenticator built with a library from PyPI, and Chromium's virtual ones.
@Suite(.developmentServer)
struct PasskeyTests {
  @Test func `passkeys of a client library are added, used and refused`() async throws {
    try await Python.run("passkey_client.py", environment: try suiteServer().clientEnvironment)
  }

  @Test func `a page adds and uses passkeys in Chromium`() async throws {
    try await Chromium.run(
      "passkeys.py", suite: "passkeys", environment: try suiteServer().clientEnvironment)
  }
}
