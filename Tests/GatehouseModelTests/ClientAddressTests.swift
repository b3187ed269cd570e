import GatehouseModel
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
}
