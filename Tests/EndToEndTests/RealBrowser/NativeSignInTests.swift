import Testing

/// Sign-ins in Chromium to an app on the desktop, which waits for its answer on loopback.
@Suite(.developmentServer)
struct NativeSignInTests {
  @Test(arguments: ["apple.com", "google.com", "facebook.com", "oidc.simulator"])
  func `somebody signs in at a provider and is back in the app`(_ provider: String) async throws {
    try await run("native_sign_in.py", provider)
  }

  private func run(_ story: String, _ arguments: String...) async throws {
    try await Chromium.run(
      story, arguments, suite: "native", environment: try suiteServer().clientEnvironment)
  }
}
