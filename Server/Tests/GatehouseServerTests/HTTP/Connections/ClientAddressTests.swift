import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct ClientAddressTests {
  private func client(_ text: String) throws -> ClientAddress {
    ClientAddress(try #require(IPAddress(text)))
  }

  @Test func `each IPv4 address is a separate client`() throws {
    #expect(try client("192.0.2.1") == client("192.0.2.1"))
    #expect(try client("192.0.2.1") != client("192.0.2.2"))
  }

  @Test func `the addresses of one IPv6 network of 64 bits are one client`() throws {
    #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff:ffff:ffff:ffff"))
    #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
  }

  @Test func `an IPv4-mapped IPv6 address is the same client`() throws {
    #expect(try client("::ffff:192.0.2.1") == client("192.0.2.1"))
    #expect(try client("::ffff:192.0.2.1") != client("::ffff:192.0.2.2"))
  }

  @Test func `a client is shown as its network`() throws {
    #expect(try client("192.0.2.1").description == "192.0.2.1")
    #expect(try client("2001:db8::1").description == "2001:db8:0:0:0:0:0:0/64")
  }

  @Test func `an IPv6 client has a site of 48 bits, which is no client`() throws {
    let site = try #require(try client("2001:db8:1:2::1").site)
    #expect(site == (try client("2001:db8:1:ffff::9").site))
    #expect(site != (try client("2001:db8:2:2::1").site))
    #expect(site != (try client("2001:db8:1::1")))
    #expect(site.description == "2001:db8:1:0:0:0:0:0/48")
    #expect(try client("192.0.2.1").site == nil)
    #expect(ClientAddress.unknown.site == nil)
  }

  @Test func `a site holds ten times the places of a client, at most half of all, never fewer`() {
    #expect(ClientAddress.siteLimit(3, of: 1000) == 30)
    #expect(ClientAddress.siteLimit(256, of: 2048) == 1024)
    #expect(ClientAddress.siteLimit(256, of: 300) == 256)
  }
}
