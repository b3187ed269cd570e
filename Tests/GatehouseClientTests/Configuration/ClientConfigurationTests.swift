import Foundation
import GatehouseClient
import Testing

@Suite struct ClientConfigurationTests {
  private func configuration(_ url: String, key: String = "key-1")
    throws(ConfigurationFault) -> ClientConfiguration
  {
    guard let url = URL(string: url) else { throw ConfigurationFault("no URL") }
    return try ClientConfiguration(serverURL: url, apiKey: key)
  }

  @Test(arguments: [
    ("https://auth.example.com", "https://auth.example.com"),
    ("https://auth.example.com/", "https://auth.example.com"),
    ("HTTPS://auth.example.com:8443/base//", "HTTPS://auth.example.com:8443/base"),
    ("http://localhost:9099", "http://localhost:9099"),
    ("http://demo.localhost", "http://demo.localhost"),
    ("http://127.0.0.1:9099", "http://127.0.0.1:9099"),
    ("http://[::1]:9099", "http://[::1]:9099"),
  ])
  func `https is accepted, and http on this machine`(_ url: String, _ kept: String) throws {
    #expect(try configuration(url).serverURL.absoluteString == kept)
  }

  @Test(arguments: [
    "http://auth.example.com", "http://10.0.0.1", "http://localhost.example.com",
    "http://127.0.0.1.example.com", "http://0.0.0.0:9099",
  ])
  func `http to another machine is refused`(_ url: String) {
    #expect(
      throws: ConfigurationFault(
        "The server's URL is http: tokens would be sent unencrypted. Use https; http "
          + "is allowed for this machine only")
    ) { try configuration(url) }
  }

  @Test(arguments: ["ftp://localhost", "file://localhost/x", "//localhost"])
  func `another scheme is refused`(_ url: String) {
    #expect(throws: ConfigurationFault("The server's URL isn't https")) { try configuration(url) }
  }

  @Test(arguments: ["https:", "auth.example.com", "https:///path"])
  func `a URL without a host is refused`(_ url: String) {
    #expect(
      throws: ConfigurationFault(
        "The server's URL has no host: write it like https://auth.example.com")
    ) { try configuration(url) }
  }

  @Test(arguments: ["https://a@example.com", "https://example.com?a", "https://example.com#a"])
  func `a URL with a user, query or fragment is refused`(_ url: String) {
    #expect(throws: ConfigurationFault("The server's URL has a user, query or fragment")) {
      try configuration(url)
    }
  }

  @Test func `an empty key is refused`() {
    #expect(throws: ConfigurationFault("The API key is empty")) {
      try configuration("https://auth.example.com", key: "")
    }
  }

  @Test(arguments: ["a b", "a\n", "caf\u{e9}", String(repeating: "k", count: 513)])
  func `an invalid key is refused`(_ key: String) {
    #expect(
      throws: ConfigurationFault(
        "The API key may have only visible ASCII characters, 512 at most")
    ) { try configuration("https://auth.example.com", key: key) }
  }
}
