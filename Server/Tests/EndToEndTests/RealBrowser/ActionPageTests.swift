import Testing

/// The pages to which the links of emails lead, in Chromium.
@Suite(.developmentServer)
struct ActionPageTests {
  struct Reader: Sendable, CustomTestStringConvertible {
    let language: String
    let scheme: String
    let width: Int

    var testDescription: String { "\(language), \(scheme), \(width) pixels" }
  }

  @Test(arguments: [
    Reader(language: "en", scheme: "light", width: 320),
    Reader(language: "de", scheme: "dark", width: 320),
    Reader(language: "vi", scheme: "light", width: 320),
    Reader(language: "en", scheme: "dark", width: 1000),
  ])
  func `a user resets a password and verifies, changes and recovers an address, without scripts`(
    _ reader: Reader
  ) async throws {
    try await Chromium.run(
      "action_pages.py", [reader.language, reader.scheme, String(reader.width)],
      suite: "action-pages", environment: try suiteServer().clientEnvironment)
  }

  @Test func `another site can neither post the form nor frame the page`() async throws {
    try await Chromium.run(
      "action_forgery.py", suite: "action-pages",
      environment: try suiteServer().clientEnvironment)
  }
}

/// The password reset page of a production server.
@Suite struct ProductionActionPageTests {
  @Test func `a link of an administrator's resets a password, and another site can't`()
    async throws
  {
    try await Production.with { production, server, administrator in
      var environment = server.clientEnvironment
      environment["GATEHOUSE_PROJECT"] = production.project
      environment["GATEHOUSE_API_KEY"] = production.apiKey
      try await Chromium.run(
        "action_forgery.py", [administrator.token], suite: "action-pages-production",
        environment: environment)
    }
  }
}
