import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct IPAddressReachTests {
  @Test(arguments: [
    "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
    "192.167.255.255", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::200e",
    "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
  ])
  func `a public address is global`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).reach == .global)
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1",
  ])
  func `every address of this machine is loopback`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).reach == .loopback)
  }

  @Test(arguments: [
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
    "fc00::1", "fdff:ffff::1", "::ffff:10.0.0.1", "64:ff9b::192.168.0.1",
  ])
  func `the operator's network is private`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).reach == .private)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "169.254.169.254", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "fe80::1",
    "ff02::1", "::ffff:169.254.169.254", "::7f00:1", "2001::1", "2001:db8::1", "2002:7f00:1::",
    "3fff::1", "4000::1", "64:ff9b:1::a00:1", "64:ff9b::a9fe:a9fe", "fec0::1",
  ])
  func `an address that never serves HTTP is always refused`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).reach == .never)
  }

  @Test(arguments: ["127.1", "0x7f000001", "2130706433", "localhost", "", "1.2.3.4.5", "[::1]"])
  func `only the usual forms are IP literals`(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `an address's description can be parsed again`() throws {
    #expect(try #require(IPAddress("10.0.0.255")).description == "10.0.0.255")
    #expect(try #require(IPAddress("2001:db8::1")).description == "2001:db8:0:0:0:0:0:1")
  }
}
