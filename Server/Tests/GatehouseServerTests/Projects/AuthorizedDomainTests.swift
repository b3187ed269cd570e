import GatehouseServer
import Testing

@Suite struct AuthorizedDomainTests {
  @Test(arguments: [
    ("localhost", "localhost"), ("app.example.com", "app.example.com"),
    ("APP.Example.COM", "app.example.com"), ("127.0.0.1", "127.0.0.1"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a-b.c", "a-b.c"),
    (String(repeating: "a", count: 63) + ".b", String(repeating: "a", count: 63) + ".b"),
  ])
  func `a host name is accepted, in lower case`(text: String, domain: String) {
    #expect(AuthorizedDomain.normalized(text) == domain)
  }

  @Test(arguments: [
    "", ".", "example.com.", ".example.com", "a..b", "-a.example.com", "a-.example.com",
    "https://app.example.com", "app.example.com/path", "app.example.com:8080", "user@example.com",
    "*.example.com", "app_1.example.com", "app example.com", "bücher.example", "\u{212A}.example",
    "[::1]", "a\0b", String(repeating: "a", count: 64) + ".b",
    String(repeating: "abcdefg.", count: 32),
  ])
  func `any other text is rejected`(text: String) {
    #expect(AuthorizedDomain.normalized(text) == nil)
  }
}
