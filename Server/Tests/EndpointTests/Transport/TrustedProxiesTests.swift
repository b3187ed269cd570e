import GatehouseServer
import GatehouseProtocol
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
      name: "an untrusted client's header is ignored", peer: "192.0.2.1",
      fields: [("x-forwarded-for", "203.0.113.9")], client: "192.0.2.1"),
    Row(name: "a proxy without a header counts as the client", client: "10.0.0.1"),
    Row(
      name: "a trusted proxy's header is used", fields: [("x-forwarded-for", "203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "the client's own entry is left of the proxy's",
      fields: [("x-forwarded-for", "198.51.100.1, 203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "a combining character in the client's entry can't hide the proxy's",
      fields: [("x-forwarded-for", "198.51.100.1\u{600}, 203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "a client can't name itself a proxy",
      fields: [("x-forwarded-for", "198.51.100.1, 10.0.0.2, 203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "several proxies in a row are trusted",
      fields: [("x-forwarded-for", "203.0.113.9, 10.0.0.3, 10.0.0.2")], client: "203.0.113.9"),
    Row(
      name: "several lines are one list",
      fields: [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-for", "203.0.113.9,10.0.0.2")],
      client: "203.0.113.9"),
    Row(
      name: "if all hops are proxies, the client is the farthest",
      fields: [("x-forwarded-for", "10.0.0.3, 10.0.0.2")], client: "10.0.0.3"),
    Row(
      name: "a port is ignored", fields: [("x-forwarded-for", "203.0.113.9:4711")],
      client: "203.0.113.9"),
    Row(
      name: "an IPv6 address in brackets, with a port",
      fields: [("x-forwarded-for", "[2001:db8::1]:4711")], client: "2001:db8::1"),
    Row(
      name: "an IPv6 address without brackets", fields: [("x-forwarded-for", "2001:db8::1")],
      client: "2001:db8::1"),
    Row(
      name: "for an invalid hop the client is the proxy that wrote it",
      fields: [("x-forwarded-for", "unknown")], client: "10.0.0.1"),
    Row(
      name: "nothing is read behind an invalid hop",
      fields: [("x-forwarded-for", "203.0.113.9, unknown, 10.0.0.2")], client: "10.0.0.2"),
    Row(
      name: "an empty hop is invalid", fields: [("x-forwarded-for", "203.0.113.9,")],
      client: "10.0.0.1"),
    Row(
      name: "a header that is too long isn't read",
      fields: [("x-forwarded-for", String(repeating: "x", count: 4096) + ",203.0.113.9")],
      client: "10.0.0.1"),
    Row(
      name: "hops beyond the limit aren't read",
      fields: [
        ("x-forwarded-for", "203.0.113.9" + String(repeating: ",10.0.0.2", count: 16))
      ], client: "10.0.0.2"),
    Row(
      name: "the header that the proxies don't write isn't read",
      fields: [("forwarded", "for=198.51.100.1"), ("x-forwarded-for", "203.0.113.9")],
      client: "203.0.113.9"),
    Row(
      name: "nor is X-Forwarded-For if the proxies write Forwarded", header: .forwarded,
      fields: [("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "198.51.100.1")],
      client: "203.0.113.9"),
    Row(
      name: "Forwarded, with all its parameters", header: .forwarded,
      fields: [("forwarded", "for=198.51.100.1, proto=https; For=\"[2001:db8::1]:4711\";by=_x")],
      client: "2001:db8::1"),
    Row(
      name: "for an obfuscated node the client is the proxy that wrote it", header: .forwarded,
      fields: [("forwarded", "for=_hidden")], client: "10.0.0.1"),
    Row(
      name: "a client's unclosed quote hides nothing", header: .forwarded,
      fields: [("forwarded", "for=\"198.51.100.1, for=203.0.113.9")], client: "203.0.113.9"),
    Row(
      name: "a proxy with an IPv4-mapped IPv6 address", peer: "::ffff:10.0.0.1",
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
