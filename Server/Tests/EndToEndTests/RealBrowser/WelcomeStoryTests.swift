import Testing

/// The welcome page at `/` of a development server, in Chromium.
@Suite(.developmentServer)
struct WelcomeStoryTests {
  struct Visitor: Sendable, CustomTestStringConvertible {
    let language: String
    let scheme: String
    let width: Int

    var testDescription: String { "\(language), \(scheme), \(width) pixels" }

    static let all = [
      Visitor(language: "en", scheme: "light", width: 1200),
      Visitor(language: "vi", scheme: "dark", width: 320),
      Visitor(language: "de", scheme: "light", width: 700),
    ]
  }

  @Test(arguments: Visitor.all)
  func `a newcomer signs in, links, re-authenticates, and deletes the account`(
    _ visitor: Visitor
  ) async throws {
    try await run("welcome_story.py", visitor.language, visitor.scheme, String(visitor.width))
  }

  @Test(arguments: Visitor.all)
  func `a newcomer verifies an address, and resets a password, with emails in the mailbox`(
    _ visitor: Visitor
  ) async throws {
    try await run("welcome_email.py", visitor.language, visitor.scheme, String(visitor.width))
  }

  @Test(arguments: Visitor.all)
  func `a newcomer adds a passkey, and signs in with it`(_ visitor: Visitor) async throws {
    try await run("welcome_passkeys.py", visitor.language, visitor.scheme, String(visitor.width))
  }

  @Test(arguments: ["apple.com", "google.com", "facebook.com", "oidc.simulator"])
  func `a user cancels at a provider, and then signs in`(_ provider: String) async throws {
    try await run("welcome_providers.py", provider)
  }

  private func run(_ story: String, _ arguments: String...) async throws {
    try await Chromium.run(
      story, arguments, suite: "welcome", environment: try suiteServer().clientEnvironment)
  }
}
