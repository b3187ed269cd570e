import GatehouseClient
import Testing

@Suite struct NonceTests {
  @Test func `a nonce has 32 characters, and no two are the same`() {
    let nonces = (0..<1000).map { _ in Nonce().raw }
    #expect(Set(nonces).count == nonces.count)
    let allowed = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")
    #expect(allowed.count == 64)
    #expect(nonces.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(allowed.contains) })
    // Each of the 64 occurs in 32,000 draws, except once in 10^217 runs.
    #expect(Set(nonces.joined()) == allowed)
  }

  /// FIPS 180-4's own example.
  @Test func `the provider gets SHA-256 in lower-case hex`() {
    #expect(
      Nonce(raw: "abc").sha256
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `a nonce isn't in descriptions`() {
    let nonce = Nonce(raw: "secret-of-mine")
    var dumped = ""
    dump(nonce, to: &dumped)
    #expect(!"\(nonce)\(String(reflecting: nonce))\(dumped)".contains("secret-of-mine"))
  }
}
