import Crypto
import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// A project's branding: set over REST, shown by the pages for its users.
@Suite struct BrandingTests {
  private static let logo = "https://cdn.example.com:8443/logo.png?a=1&b='2'"
  private static let branding: JSONValue = [
    "logoURL": .string(logo), "color": "#7C3AED", "termsURL": "https://example.com/terms",
    "privacyURL": "https://example.com/privacy",
  ]

  private func set(_ branding: JSONValue, _ server: TestServer) async throws -> TestReply {
    try await server.call(
      .admin(.patch, "v2/projects/demo/config", ["policies": ["branding": branding]]))
  }

  private func name(_ name: String, _ server: TestServer) async throws {
    let reply = try await server.call(
      .admin(.patch, "v2/projects/demo", ["displayName": .string(name)]))
    #expect(reply.status == 200)
  }

  /// The page behind a link in an email, a page that tells the result of a sign-in, the page that opens an app, and
  /// the page of a sign-in in another browser.
  private func pages(_ server: TestServer) async throws -> [TestReply] {
    let reset = try await ActionPageReader(server, "PASSWORD_RESET").open()
    let told = try await PageFlow.arrive(server, "signInViaPopup").reply
    let flow = try await BrowserFlow(server, "oidc.trusted")
    var foreign = flow
    foreign.cookies = []
    let stranger = try await foreign.arrive("state=\(flow.state)&code=c")
    let location = try #require(
      try await flow.arrive("state=\(flow.state)&code=c").headers[.location])
    let deepLink = try #require(BrowserFlow.parameters(location)["deep_link_id"])
    let back = try await BrowserFlow.get(
      server, String(deepLink.drop { $0 != "?" }.dropFirst()), path: "/__/auth/callback")
    #expect(back.heading == "Go back to the app")
    #expect(stranger.heading == "This sign-in belongs to another browser")
    return [reset, told, back, stranger]
  }

  @Test func `pages show the logo, the name, the colour and the links`() async throws {
    try await TestServer.with { server in
      let set = try await set(Self.branding, server)
      #expect(set["policies"]?["branding"] == Self.branding)
      try await name("Notes & <Co>", server)
      for page in try await pages(server) {
        #expect(
          page.text.contains(
            "<p class=\"app\"><img class=\"logo\" src=\"https://cdn.example.com:8443/logo.png?a=1&amp;b=&#39;2&#39;\" "
              + "alt=\"\">Notes &amp; &lt;Co&gt;</p>"))
        #expect(page.text.contains(" – Notes &amp; &lt;Co&gt;</title>"))
        #expect(page.text.contains("--accent:#7c3aed;--on-accent:#ffffff"))
        #expect(
          page.text.contains(
            "<p class=\"legal\"><a href=\"https://example.com/terms\">Terms of service</a>"
              + "<a href=\"https://example.com/privacy\">Privacy policy</a></p>\n</main>"))
        let policy = page.headers[.contentSecurityPolicy] ?? ""
        let styles = page.text.matches(of: /<style>([^<]*)<\/style>/).map { style in
          "'sha256-" + Data(SHA256.hash(data: Data(style.1.utf8))).base64EncodedString() + "'"
        }
        #expect(styles.count == 2)
        #expect(
          policy.contains(
            "; style-src \(styles.joined(separator: " ")); img-src https://cdn.example.com:8443; base-uri 'none'; "
          ))
        #expect(!page.text.contains("style=\""))
      }
    }
  }

  @Test func `without branding, pages load no picture and have one style`() async throws {
    try await TestServer.with { server in
      for page in try await pages(server) {
        #expect(!page.text.contains("<p class=\"app\">") && !page.text.contains("class=\"legal\""))
        #expect(page.text.components(separatedBy: "<style>").count == 2)
        let policy = page.headers[.contentSecurityPolicy] ?? ""
        #expect(!policy.contains("img-src"))
        #expect(policy.contains(/style-src 'sha256-[^' ]*'; base-uri/))
      }
    }
  }

  @Test func `a colour alone allows no picture, and links need no colour`() async throws {
    try await TestServer.with { server in
      _ = try await set(["color": "#ffd60a"], server)
      let colored = try await ActionPageReader(server, "PASSWORD_RESET").open()
      #expect(colored.text.contains("--accent:#ffd60a;--on-accent:#000000;--link:#8c7505"))
      #expect(!(colored.headers[.contentSecurityPolicy] ?? "").contains("img-src"))
      #expect(!colored.text.contains("class=\"legal\""))
      let reply = try await set(["color": .null, "privacyURL": "https://example.com/p#a"], server)
      #expect(reply["policies"]?["branding"]?["color"] == "")
      let linked = try await ActionPageReader.again(server).open()
      #expect(
        linked.text.contains(
          "<p class=\"legal\"><a href=\"https://example.com/p#a\">Privacy policy</a></p>"))
      #expect(!linked.text.contains("--link:"))
    }
  }

  @Test(
    arguments: [
      (
        "logoURL", "javascript:alert(1)",
        "branding.logoURL: “javascript:alert(1)” is not an https URL of at most 2048 bytes, in visible ASCII and "
          + "without user information."
      ),
      (
        "termsURL", "https://example.com/\"><b>",
        "branding.termsURL: “https://example.com/\"><b>” is not an https URL of at most 2048 bytes, in visible ASCII "
          + "and without user information."
      ),
      (
        "color", "#fff}*{background:url(//a)}",
        "branding.color: “#fff}*{background:url(//a)}” is not a colour such as #1d5c4f."
      ),
      (
        "colour", "#ffffff", "there is no policy “branding.colour”; did you mean “branding.color”?."
      ),
      ("color", 1, "branding.color: “1” is not valid; now it is “”."),
    ] as [(String, JSONValue, String)])
  func `a value that isn't valid is refused, and nothing is changed`(
    _ member: String, _ value: JSONValue, _ error: String
  ) async throws {
    try await TestServer.with { server in
      let reply = try await set([member: value, "privacyURL": "https://example.com/"], server)
      #expect(reply.status == 400)
      #expect(reply.error == "INVALID_CONFIG : \(error)")
      let config = try await server.call(.admin(.get, "v2/projects/demo/config"))
      #expect(
        config["policies"]?["branding"]
          == ["logoURL": "", "color": "", "termsURL": "", "privacyURL": ""])
    }
  }

  @Test func `the texts of emails have the branding, and so has a preview`() async throws {
    try await TestServer.with { server in
      let place = "v2/projects/demo/emailTemplates/resetPassword/languages/en"
      let before = try await server.call(.admin(.get, place))
      #expect(before["html"]?.string?.contains("logoURL") == false)
      _ = try await set(Self.branding, server)
      let template = try await server.call(.admin(.get, place))
      #expect(template["html"]?.string?.contains("src=\"{{logoURL}}\"") == true)
      #expect(template["text"]?.string?.contains("Privacy policy: {{privacyURL}}") == true)
      let preview = try await server.call(.admin(.post, "\(place):preview", [:]))
      #expect(preview["html"]?.string?.contains("background:#7c3aed") == true)
      #expect(
        preview["text"]?.string?.contains("Privacy policy: https://example.com/privacy") == true)
    }
  }
}

extension ActionPageReader {
  /// Another link, for the account that there is already.
  fileprivate static func again(_ server: TestServer) async throws -> ActionPageReader {
    var reader = ActionPageReader(server)
    reader.fields = try await link(server, "PASSWORD_RESET")
    return reader
  }
}
