import Testing

@Suite struct HarnessTests {
  @Test func `a story in Chromium fails if the browser reports an error`() async throws {
    try await Chromium.run("harness.py", suite: "harness", environment: [:])
  }
}
