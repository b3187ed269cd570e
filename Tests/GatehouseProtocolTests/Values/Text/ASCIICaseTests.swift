import GatehouseProtocol
import Testing

@Suite struct ASCIICaseTests {
  @Test func `A to Z are folded, and no other byte`() {
    for byte in UInt8.min...UInt8.max {
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      #expect(byte.asciiLowercased == (isCapital ? byte + 32 : byte))
    }
  }

  @Test(arguments: [
    ("Auth.EXAMPLE.com", "auth.example.com"), ("@[`{", "@[`{"), ("", ""),
    ("\u{212A}elvin", "\u{212A}elvin"), ("İÄ", "İÄ"),
  ]) func `letters beyond ASCII are unchanged`(_ text: String, _ folded: String) {
    #expect(text.asciiLowercased.utf8.elementsEqual(folded.utf8))
  }
}
