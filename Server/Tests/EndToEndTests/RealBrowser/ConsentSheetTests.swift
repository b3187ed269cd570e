import Testing

/// The simulated providers' pages in Chromium, during a sign-in.
@Suite(.developmentServer)
struct ConsentSheetTests {
  private static let providers = ["apple.com", "google.com", "facebook.com", "oidc.simulator"]

  @Test(arguments: ["share", "hide"])
  func `a new user edits the name at Apple and chooses whether to hide the address`(
    _ choice: String
  ) async throws {
    try await run("sheet_apple.py", choice)
  }

  @Test(arguments: ["google.com", "facebook.com", "oidc.simulator"])
  func `a user chooses an account`(_ provider: String) async throws {
    try await run("sheet_accounts.py", provider)
  }

  @Test(arguments: providers)
  func `a user declines at either step`(_ provider: String) async throws {
    try await run("sheet_declined.py", provider)
  }

  @Test func `a user doesn't share the address with Facebook's app`() async throws {
    try await run("sheet_facebook.py")
  }

  @Test(arguments: ["en", "vi", "de"])
  func `the pages work by keyboard and without scripts`(_ language: String) async throws {
    try await run("sheet_keyboard.py", language)
  }

  private func run(_ story: String, _ arguments: String...) async throws {
    try await Chromium.run(
      story, arguments, suite: "sheets", environment: try suiteServer().clientEnvironment)
  }
}
