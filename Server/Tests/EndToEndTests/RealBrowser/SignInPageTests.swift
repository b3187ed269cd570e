import Testing

/// The pages that a user sees when a sign-in can't continue.
@Suite(.developmentServer)
struct SignInPageTests {
  struct Reader: Sendable, CustomTestStringConvertible {
    let language: String
    let scheme: String
    let width: Int

    var testDescription: String { "\(language), \(scheme), \(width) pixels" }
  }

  @Test(arguments: [
    Reader(language: "en", scheme: "light", width: 1000),
    Reader(language: "en", scheme: "dark", width: 320),
    Reader(language: "vi", scheme: "dark", width: 1000),
    Reader(language: "vi", scheme: "light", width: 320),
    Reader(language: "de", scheme: "light", width: 320),
  ])
  func `the pages are accessible and work by keyboard`(_ reader: Reader) async throws {
    try await Chromium.run(
      "pages.py", [reader.language, reader.scheme, String(reader.width)], suite: "pages",
      environment: try suiteServer().clientEnvironment)
  }

  @Test func `no other site can frame the pages`() async throws {
    try await Chromium.run(
      "framing.py", suite: "pages", environment: try suiteServer().clientEnvironment)
  }
}
