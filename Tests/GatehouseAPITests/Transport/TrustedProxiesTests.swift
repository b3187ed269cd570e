import GatehouseAPI
import GatehouseModel
import HTTPTypes
import Testing

@Suite struct TrustedProxiesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var peer = "10.0.0.1"
    var header = TrustedProxies.Header.xForwardedFor
    var fields: [(String, String)] = []
    let client: String

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "a stranger's header is not believed", peer: "192.0.2.1",
      fields: [("x-forwarded-for", "203.0.113.9")], client: "192.0.2.1"),
    Row(name: "a proxy that says nothing is the client", client: "10.0.0.1"),
    Row(
      name: "a proxy is believed", fields: [("x-forwarded-for", "203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "what the client sent itself stands left of what the proxy saw",
      fields: [("x-forwarded-for", "198.51.100.1, 203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "nor does a letter that joins what follows it hide that",
      fields: [("x-forwarded-for", "198.51.100.1\u{600}, 203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "a client can't name itself a proxy",
      fields: [("x-forwarded-for", "198.51.100.1, 10.0.0.2, 203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "a row of proxies is believed",
      fields: [("x-forwarded-for", "203.0.113.9, 10.0.0.3, 10.0.0.2")], client: "203.0.113.9"),
    Row(
      name: "several lines are one list",
      fields: [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-for", "203.0.113.9,10.0.0.2")],
      client: "203.0.113.9"),
    Row(
      name: "proxies alone are the farthest of them",
      fields: [("x-forwarded-for", "10.0.0.3, 10.0.0.2")], client: "10.0.0.3"),
    Row(
      name: "a port is left out", fields: [("x-forwarded-for", "203.0.113.9:4711")],
      client: "203.0.113.9"),
    Row(
      name: "an IPv6 address in brackets, with a port",
      fields: [("x-forwarded-for", "[2001:db8::1]:4711")], client: "2001:db8::1"),
    Row(
      name: "an IPv6 address without brackets", fields: [("x-forwarded-for", "2001:db8::1")],
      client: "2001:db8::1"),
    Row(
      name: "rubbish is the proxy that wrote it", fields: [("x-forwarded-for", "unknown")],
      client: "10.0.0.1"),
    Row(
      name: "behind rubbish nothing is read",
      fields: [("x-forwarded-for", "203.0.113.9, unknown, 10.0.0.2")], client: "10.0.0.2"),
    Row(
      name: "an empty hop is rubbish", fields: [("x-forwarded-for", "203.0.113.9,")],
      client: "10.0.0.1"),
    Row(
      name: "a header too long to be one isn't read",
      fields: [("x-forwarded-for", String(repeating: "x", count: 4096) + ",203.0.113.9")],
      client: "10.0.0.1"),
    Row(
      name: "more proxies than anybody has are read no further",
      fields: [
        ("x-forwarded-for", "203.0.113.9" + String(repeating: ",10.0.0.2", count: 16))
      ], client: "10.0.0.2"),
    Row(
      name: "the header that the proxies don't write isn't read",
      fields: [("forwarded", "for=198.51.100.1"), ("x-forwarded-for", "203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "nor the other way round", header: .forwarded,
      fields: [("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "198.51.100.1")],
      client: "203.0.113.9"),
    Row(
      name: "Forwarded, with everything that may stand in it", header: .forwarded,
      fields: [("forwarded", "for=198.51.100.1, proto=https; For=\"[2001:db8::1]:4711\";by=_x")],
      client: "2001:db8::1"),
    Row(
      name: "an obfuscated node is the proxy that wrote it", header: .forwarded,
      fields: [("forwarded", "for=_hidden")], client: "10.0.0.1"),
    Row(
      name: "a client's open quote hides nothing", header: .forwarded,
      fields: [("forwarded", "for=\"198.51.100.1, for=203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "a proxy over IPv6 that speaks IPv4", peer: "::ffff:10.0.0.1",
      fields: [("x-forwarded-for", "203.0.113.9")], client: "203.0.113.9"),
  ]

  @Test(arguments: rows) func `the client is found from what named proxies wrote`(_ row: Row)
    throws
  {
    let proxies = TrustedProxies(
      networks: [try #require(IPNetwork("10.0.0.0/24"))], header: row.header)
    var fields = HTTPFields()
    for (name, value) in row.fields {
      fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    let peer = try #require(IPAddress(row.peer))
    let client = proxies.client(of: peer, fields)
    #expect(client == ClientAddress(try #require(IPAddress(row.client))))
  }

  @Test func `a connection without an address is trusted with nothing`() throws {
    let proxies = TrustedProxies(networks: [try #require(IPNetwork("0.0.0.0/0"))])
    let name = try #require(HTTPField.Name("x-forwarded-for"))
    #expect(proxies.client(of: nil, [name: "203.0.113.9"]) == .unknown)
  }
}
