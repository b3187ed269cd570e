import GatehouseModel
import Testing

@Suite struct HexadecimalTests {
  @Test func `every byte has two lower-case digits, which read back`() {
    let bytes = (UInt8.min ... .max).map { $0 }
    let text = Hexadecimal.text(bytes)
    #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
    #expect(text.hasSuffix("f9fafbfcfdfeff"))
    #expect(Hexadecimal.bytes(text) == bytes)
    #expect(Hexadecimal.text(bytes[1...2]) == "0102")
  }

  @Test(arguments: ["0", "0G", "AB", " 00"])
  func `other texts are refused`(_ text: String) { #expect(Hexadecimal.bytes(text) == nil) }
}
