import GatehouseServer
import Testing

@Suite struct OutboundURLTests {
  @Test func `a URL has a scheme, a host and a port`() throws {
    let url = try #require(OutboundURL("HTTPS://IdP.Example.com:8443/a/B?c=%20"))
    #expect(url.text == "https://idp.example.com:8443/a/B?c=%20")
    #expect(url.host == "idp.example.com")
    #expect(url.port == 8443)
    #expect(url.isSecure)
  }

  @Test func `the port and the path have their defaults`() throws {
    #expect(try #require(OutboundURL("https://example.com")).text == "https://example.com/")
    #expect(try #require(OutboundURL("https://example.com?a")).text == "https://example.com/?a")
    #expect(try #require(OutboundURL("http://[::1]/")).port == 80)
    #expect(try #require(OutboundURL("http://[::1]:9100/")).host == "::1")
  }

  @Test(arguments: [
    "", "https://", "https:///path", "ftp://example.com/", "//example.com/", "example.com",
    "https://user@example.com/", "https://example.com:0/", "https://example.com:65536/",
    "https://example.com:/", "https://example.com:80:80/", "https://exa mple.com/",
    "https://example.com/#fragment", "https://example.com\\@evil.example/",
    "https://ex%61mple.com/",
    "https://caf\u{e9}.example/", "https://[::1/", "https://[127.0.0.1]/", "https://[::1]x/",
    "https://example.com/\n", "javascript:alert(1)", "https:/example.com/",
  ])
  func `anything else is refused`(_ text: String) {
    #expect(OutboundURL(text) == nil)
  }

  @Test func `a URL of 2048 bytes is accepted, a longer one refused`() {
    let base = "https://example.com/"
    let room = OutboundURL.maximumBytes - base.utf8.count
    #expect(OutboundURL(base + String(repeating: "a", count: room)) != nil)
    #expect(OutboundURL(base + String(repeating: "a", count: room + 1)) == nil)
  }

  @Test func `a base may end in a slash`() throws {
    #expect(
      try #require(OutboundURL(base: "http://127.0.0.1:4600/apple/", path: "/auth/keys")).text
        == "http://127.0.0.1:4600/apple/auth/keys")
  }
}
