import Testing

/// The simulated providers' pages, clicked in Chromium on the way through a sign-in.
@Suite(.developmentServer)
struct ConsentSheetTests {
  private static let providers = ["apple.com", "google.com", "facebook.com", "oidc.simulator"]

  @Test(arguments: ["share", "hide"])
  func `somebody new edits the name at Apple, and says what becomes of the address`(
    _ choice: String
  ) async throws {
    try await run("sheet_apple.py", choice)
  }

  @Test(arguments: ["google.com", "facebook.com", "oidc.simulator"])
  func `somebody chooses among their accounts`(_ provider: String) async throws {
    try await run("sheet_accounts.py", provider)
  }

  @Test(arguments: providers)
  func `somebody declines at either step`(_ provider: String) async throws {
    try await run("sheet_declined.py", provider)
  }

  @Test func `somebody keeps their address from Facebook's app`() async throws {
    try await run("sheet_facebook.py")
  }

  @Test(arguments: ["en", "vi", "de"])
  func `everybody can use the pages by keyboard, without scripts`(_ language: String) async throws {
    try await run("sheet_keyboard.py", language)
  }

  private func run(_ story: String, _ arguments: String...) async throws {
    try await Chromium.run(
      story, arguments, suite: "sheets", environment: try suiteServer().clientEnvironment)
  }
}
