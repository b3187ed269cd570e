import Testing

/// Clients from PyPI by other developers: an app's, and two of the old v3 calls.
@Suite(.developmentServer)
struct PythonClientTests {
  @Test(arguments: ["client_sdk.py", "rest_api_v3.py", "empyrebase_client.py"])
  func `every call of a client library works`(client: String) async throws {
    try await Python.run(client, environment: try suiteServer().clientEnvironment)
  }
}
