import GatehouseProtocol
import Testing

@Suite struct TypedDigitsTests {
  @Test(arguments: ["123456", "123 456", " 123-456\n", "１２３４５６", "١٢٣٤٥٦"])
  func `digits are taken as users type them`(_ text: String) throws {
    #expect(try TypedDigits(text).text == "123456")
  }

  @Test(arguments: ["", "12345", "1234567"])
  func `another number of digits is refused`(_ text: String) {
    #expect(throws: TypedDigits.Fault.otherCount) { try TypedDigits(text) }
  }

  @Test(arguments: ["12345a", "12345½", "12345十", "12345.", "12345٫"])
  func `other characters are refused`(_ text: String) {
    #expect(throws: TypedDigits.Fault.otherCharacter) { try TypedDigits(text) }
  }
}
