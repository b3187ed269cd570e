import Foundation
import Testing

/// Sign-ins in Chromium to a web page that calls the server and `gapi` as Google's SDK for
/// JavaScript does.
@Suite(.developmentServer)
struct WebPageTests {
  @Test(arguments: ["server", "google"])
  func `a page signs in, links and reauthenticates in a window`(_ gapi: String) async throws {
    try await runWebStory("web_popup.py", "own", gapi)
  }

  @Test(arguments: ["server", "google"])
  func `a page redirects to a provider, and finds the response on its return`(
    _ gapi: String
  ) async throws {
    try await runWebStory("web_redirect.py", "own", gapi)
  }

  @Test func `a window whose page is gone reports it`() async throws {
    try await runWebStory("web_endings.py", "own")
  }

  @Test func `other sites can neither read nor forge a response`() async throws {
    try await runWebStory("web_attacks.py")
  }
}

/// Sign-ins in Chromium with Google's own SDK, if its bundle was built: `scripts/javascript-sdk`.
@Suite(.developmentServer, .enabled(if: GoogleSDK.isThere, GoogleSDK.howTo))
struct JavaScriptSDKTests {
  @Test(arguments: ["server", "google"])
  func `Google's SDK signs in, links and reauthenticates in a window`(_ gapi: String) async throws {
    try await runWebStory("web_popup.py", "google", gapi)
  }

  @Test(arguments: ["server", "google"])
  func `Google's SDK redirects to a provider, and finds the response`(
    _ gapi: String
  ) async throws {
    try await runWebStory("web_redirect.py", "google", gapi)
  }

  @Test func `Google's SDK detects a closed and a blocked window`() async throws {
    try await runWebStory("web_endings.py", "google")
  }
}

/// An app and a server with host names, over TLS.
@Suite(
  .developmentServer(
    "--public-url", "https://auth.example.com",
    "--set", "dev.allowedHosts=auth.example.com,app.example.com,app.example.net"))
struct WebDomainTests {
  @Test func `a page needs the handler on its own site for a redirect, not for a window`()
    async throws
  {
    try await allowDomains()
    try await runWebStory("web_domains.py", "own")
  }

  @Test(.enabled(if: GoogleSDK.isThere, GoogleSDK.howTo))
  func `Google's SDK works without the emulator's addresses`() async throws {
    try await allowDomains()
    try await runWebStory("web_domains.py", "google")
  }

  private func allowDomains() async throws {
    let reply = try await suiteServer().administrator.call(
      .patch, "config?updateMask=authorizedDomains",
      [
        "authorizedDomains": [
          "localhost", "127.0.0.1", "app.example.com", "app.example.net", "auth.example.com",
        ]
      ],
      version: "v2")
    #expect(reply.verdict == "200")
  }
}

private func runWebStory(_ story: String, _ arguments: String...) async throws {
  var environment = try suiteServer().clientEnvironment
  environment["GATEHOUSE_JAVASCRIPT_SDK"] = GoogleSDK.path
  try await Chromium.run(story, arguments, suite: "web", environment: environment)
}
