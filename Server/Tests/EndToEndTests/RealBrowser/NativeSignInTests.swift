import Testing

/// Sign-ins in Chromium to a desktop app, which waits for the response on loopback.
@Suite(.developmentServer)
struct NativeSignInTests {
  private static let providers = ["apple.com", "google.com", "facebook.com", "oidc.simulator"]

  @Test(arguments: providers)
  func `a user signs in and returns to the app`(_ provider: String) async throws {
    try await run("native_sign_in.py", provider)
  }

  @Test(arguments: providers)
  func `a user declines and the app is told`(_ provider: String) async throws {
    try await run("native_cancelled.py", provider)
  }

  @Test func `Apple's form arrives without the cookie, and its second hop with it`() async throws {
    try await run("native_apple_form_post.py")
  }

  @Test(arguments: ["form_post", "fragment"])
  func `an ID token comes through the browser`(_ mode: String) async throws {
    try await run("native_implicit.py", mode)
  }

  @Test(arguments: ["apple.com", "google.com"])
  func `another user's response shows a page and reaches no app`(_ provider: String) async throws {
    try await run("native_other_browser.py", provider)
  }

  @Test func `two tabs sign in two users`() async throws {
    try await run("native_two_tabs.py")
  }

  @Test func `going back and reloading repeat nothing`() async throws {
    try await run("native_back_and_reload.py", "google.com")
  }

  @Test func `a preview of the link spends nothing`() async throws {
    try await run("native_preview.py")
  }

  @Test func `the fragment of the handler's URL reaches neither the provider nor the app`()
    async throws
  {
    try await run("native_fragment.py")
  }

  @Test(arguments: providers)
  func `a browser without scripts signs in`(_ provider: String) async throws {
    try await run("native_without_scripts.py", provider)
  }

  @Test(arguments: ["apple.com", "google.com"])
  func `an app is opened by its own scheme`(_ provider: String) async throws {
    try await run("native_scheme.py", provider)
  }

  private func run(_ story: String, _ arguments: String...) async throws {
    try await Chromium.run(
      story, arguments, suite: "native", environment: try suiteServer().clientEnvironment)
  }
}
