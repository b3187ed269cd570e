import GatehouseProtocol
import Testing

@Suite struct LoopbackNameTests {
  @Test(arguments: [
    "localhost", "LocalHost", "app.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]",
    "::ffff:127.0.0.1",
  ])
  func `this machine's names are loopback`(_ host: String) {
    #expect(LoopbackName.isLoopback(host))
  }

  @Test func `a name may have 253 bytes and no more`() {
    #expect(LoopbackName.isLoopback(String(repeating: "a", count: 243) + ".localhost"))
    #expect(!LoopbackName.isLoopback(String(repeating: "a", count: 244) + ".localhost"))
  }

  @Test(arguments: [
    "", "localhost.example.com", "notlocalhost", "128.0.0.1", "127.0.0.1.example.com", "127.1",
    "127.0.0.256", "::2", "0.0.0.0", "127.0.0.+1",
  ])
  func `other names aren't loopback`(_ host: String) {
    #expect(!LoopbackName.isLoopback(host))
  }
}
