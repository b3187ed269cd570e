import Testing

/// Other developers' clients from PyPI: one for apps, and two that use the old v3 calls.
@Suite(.developmentServer)
struct PythonClientTests {
  @Test(arguments: ["client_sdk.py", "rest_api_v3.py", "empyrebase_client.py"])
  func `every call of a client library works`(client: String) async throws {
    try await Python.run(client, environment: try suiteServer().clientEnvironment)
  }

  @Test func `an authenticator of another author computes the codes that the server expects`()
    async throws
  {
    try await Python.run("second_factors.py", environment: try suiteServer().clientEnvironment)
  }
}
