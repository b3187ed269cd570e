import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct OutboundRuleTests {
  private let url = OutboundURL("https://idp.example.com/keys")

  @Test func `a public address is allowed`() throws {
    try OutboundRule().check(addresses("8.8.8.8"), for: #require(url))
  }

  @Test(arguments: ["127.0.0.1", "10.0.0.1", "169.254.169.254", "fd00::1", "::ffff:10.0.0.1"])
  func `a host with one address that isn't public is refused`(_ text: String) throws {
    let url = try #require(url)
    let shown = try #require(IPAddress(text)).description
    #expect(throws: OutboundError.refusedAddress(host: "idp.example.com", address: shown)) {
      try OutboundRule().check(addresses("8.8.8.8", text), for: url)
    }
  }

  @Test func `a private host that the operator names is allowed, in upper or lower case`() throws {
    let rule = OutboundRule(privateHosts: ["IDP.example.com"])
    try rule.check(addresses("10.0.0.1"), for: #require(url))
  }

  @Test(arguments: [
    ("https://idp.example.com:8443/keys", "idp.example.com:8443", "10.0.0.1", true),
    ("https://idp.example.com/keys", "idp.example.com:443", "10.0.0.1", true),
    ("https://[fd00::1]:8443/keys", "[fd00::1]:8443", "fd00::1", true),
    ("https://[fd00::1]:8443/keys", "fd00::1", "fd00::1", true),
    ("https://idp.example.com/keys", "idp.example.com:8443", "10.0.0.1", false),
    ("https://idp.example.com:844/keys", "idp.example.com:8443", "10.0.0.1", false),
  ])
  func `a private host that is named with a port is allowed at that port only`(
    _ url: String, _ named: String, _ address: String, _ isAllowed: Bool
  ) throws {
    let url = try #require(OutboundURL(url))
    let rule = OutboundRule(privateHosts: [named])
    if isAllowed {
      try rule.check(addresses(address), for: url)
    } else {
      #expect(throws: OutboundError.refusedAddress(host: url.host, address: address)) {
        try rule.check(addresses(address), for: url)
      }
    }
  }

  @Test func `naming a host allows no other host`() throws {
    let url = try #require(url)
    #expect(
      throws: OutboundError.refusedAddress(host: "idp.example.com", address: "10.0.0.1")
    ) {
      try OutboundRule(privateHosts: ["example.com"]).check(addresses("10.0.0.1"), for: url)
    }
  }

  @Test func `a named host can't lead to the metadata service`() throws {
    let url = try #require(url)
    #expect(
      throws: OutboundError.refusedAddress(host: "idp.example.com", address: "169.254.169.254")
    ) {
      try OutboundRule(privateHosts: ["idp.example.com"])
        .check(addresses("169.254.169.254"), for: url)
    }
  }

  @Test func `plain http is allowed only for loopback in development`() throws {
    let plain = try #require(OutboundURL("http://localhost:9100/keys"))
    try OutboundRule(allowsLoopback: true).check(addresses("127.0.0.1", "::1"), for: plain)
    #expect(throws: OutboundError.refusedAddress(host: "localhost", address: "127.0.0.1")) {
      try OutboundRule().check(addresses("127.0.0.1"), for: plain)
    }
    #expect(throws: OutboundError.insecure(host: "localhost")) {
      try OutboundRule(allowsLoopback: true).check(addresses("8.8.8.8"), for: plain)
    }
    #expect(throws: OutboundError.insecure(host: "localhost")) {
      try OutboundRule(privateHosts: ["localhost"]).check(addresses("127.0.0.1"), for: plain)
    }
  }

  @Test func `where only names of this machine may lead to it, others don't`() throws {
    let rule = OutboundRule(loopback: .named)
    for text in ["http://localhost:9000/", "https://127.0.0.1/", "http://[::1]/"] {
      try rule.check(addresses("127.0.0.1"), for: #require(OutboundURL(text)))
    }
    let url = try #require(url)
    #expect(throws: OutboundError.refusedAddress(host: "idp.example.com", address: "127.0.0.1")) {
      try rule.check(addresses("127.0.0.1"), for: url)
    }
    try OutboundRule(privateHosts: ["idp.example.com"], loopback: .named)
      .check(addresses("127.0.0.1"), for: url)
  }

  @Test func `development alone allows no private network`() throws {
    let url = try #require(url)
    #expect(
      throws: OutboundError.refusedAddress(host: "idp.example.com", address: "192.168.0.1")
    ) {
      try OutboundRule(allowsLoopback: true).check(addresses("192.168.0.1"), for: url)
    }
  }

  @Test func `a host without addresses is unresolvable`() throws {
    let url = try #require(url)
    #expect(throws: OutboundError.unresolvable(host: "idp.example.com")) {
      try OutboundRule().check([], for: url)
    }
  }

  private func addresses(_ texts: String...) -> [IPAddress] { texts.compactMap { IPAddress($0) } }
}
