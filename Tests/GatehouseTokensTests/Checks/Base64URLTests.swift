import GatehouseTokens
import Testing

@Suite struct Base64URLTests {
  /// RFC 4648 §10, without the padding.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
  ])
  func `the vectors of RFC 4648`(plain: String, encoded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test func `encoded bytes of every length decode to the same bytes`() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
  }

  @Test(arguments: ["A", "AAAAA", "Zg==", "Zh", "Zm9=", "Zm9w=", "Z g", "+_8", "-/8", "AA\u{0}A"])
  func `a text that isn't canonical is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
