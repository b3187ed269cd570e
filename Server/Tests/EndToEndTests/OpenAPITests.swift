import Testing

/// `/openapi.json`, by two tools of others that read it.
@Suite(.developmentServer)
struct OpenAPITests {
  @Test func `the description is valid, and generated requests get the answers that it has`()
    async throws
  {
    try await Python.run("openapi_document.py", environment: try suiteServer().clientEnvironment)
  }
}
