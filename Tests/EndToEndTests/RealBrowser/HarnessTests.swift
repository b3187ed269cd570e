import Testing

@Suite struct HarnessTests {
  @Test func `a story in Chromium fails for what the browser complains of`() async throws {
    try await Chromium.run("harness.py", suite: "harness", environment: [:])
  }
}
