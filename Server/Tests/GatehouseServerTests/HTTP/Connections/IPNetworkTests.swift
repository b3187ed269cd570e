import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct IPNetworkTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"),
    ("192.0.2.128/25", "192.0.2.255", "192.0.2.127"),
    ("192.0.2.7", "192.0.2.7", "192.0.2.6"),
    ("192.0.2.7/32", "192.0.2.7", "192.0.2.8"),
    ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
    ("2001:db8::/64", "2001:db8::ffff:1", "2001:db8:0:1::"),
    ("2001:db8::8000:0:0:0/65", "2001:db8::ffff:0:0:1", "2001:db8::7fff:0:0:1"),
    ("::1", "::1", "::2"),
  ])
  func `a network holds its addresses and not the next`(
    _ network: String, _ inside: String, _ outside: String
  ) throws {
    let network = try #require(IPNetwork(network))
    #expect(network.contains(try #require(IPAddress(inside))))
    #expect(!network.contains(try #require(IPAddress(outside))))
  }

  @Test func `all addresses of one kind are a network without the other kind`() throws {
    let all = try #require(IPNetwork("0.0.0.0/0"))
    #expect(all.contains(try #require(IPAddress("203.0.113.9"))))
    #expect(!all.contains(try #require(IPAddress("::1"))))
    #expect(try #require(IPNetwork("::/0")).contains(try #require(IPAddress("ffff::1"))))
  }

  @Test(arguments: [
    "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/", "10.0.0.0/8/8", "10.1.0.0/8",
    "2001:db8::1/32", "::/129", "example.com", "10/8", "10.0.0.0/8 ",
  ])
  func `a text that isn't a network is refused`(_ text: String) {
    #expect(IPNetwork(text) == nil)
  }
}
