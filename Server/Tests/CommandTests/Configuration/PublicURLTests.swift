import Testing

@testable import gatehouse

@Suite struct PublicURLTests {
  @Test(arguments: [
    ("https://auth.example.com", "https://auth.example.com"),
    ("https://auth.example.com/", "https://auth.example.com"),
    ("https://example.com/auth/v1/", "https://example.com/auth/v1"),
    ("http://127.0.0.1:9099", "http://127.0.0.1:9099"), ("http://localhost", "http://localhost"),
  ]) func `a URL is accepted, without the slash at its end`(_ text: String, _ url: String) throws {
    #expect(try PublicURL.checked(text) == url)
  }

  @Test(arguments: [
    "", "auth.example.com", "http://auth.example.com", "ftp://auth.example.com",
    "https://auth.example.com?a=b", "https://auth.example.com#a", "https://me@auth.example.com",
  ]) func `a URL that is not https, or has a user, query or fragment, is refused`(_ text: String) {
    #expect(
      throws: SettingFault(
        "“\(text)” is not an https URL without user, query and fragment, such as "
          + "https://auth.example.com (http is allowed for loopback only)")
    ) { try PublicURL.checked(text) }
  }

  @Test(arguments: [
    "https://example.com/a//b", "https://example.com/a/../b", "https://example.com/a%2Fb",
    "https://example.com/.",
  ]) func `a path that is more than names between slashes is refused`(_ text: String) {
    #expect(
      throws: SettingFault(
        "“\(text)” has a path that browsers and proxies could read differently: write names "
          + "between slashes, as in https://example.com/auth")
    ) { try PublicURL.checked(text) }
  }
}
