import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MasterKeyTests {
  @Test(arguments: [0, 16, 31, 33, 64])
  func `a key of another length than 32 bytes is rejected`(count: Int) {
    #expect(MasterKey([UInt8](repeating: 1, count: count)) == nil)
  }

  @Test func `a random key is read from its base64, with white space around`() throws {
    let (key, base64) = try #require(MasterKey.random())
    let read = try #require(MasterKey(base64: " \n\(base64.reveal())\n"))
    #expect(read.id == key.id)
    #expect(read.checkValue == key.checkValue)
  }

  @Test(arguments: ["", "AAAA", "not base64", "\u{0}"])
  func `a text that is no key is rejected`(text: String) {
    #expect(MasterKey(base64: text) == nil)
  }

  @Test func `the check value and the id differ between keys and reveal no key`() throws {
    let bytes = [UInt8](repeating: 1, count: 32)
    let first = try #require(MasterKey(bytes))
    let second = try #require(MasterKey([UInt8](repeating: 2, count: 32)))
    #expect(first.checkValue != second.checkValue)
    #expect(first.id != second.id)
    #expect(first.id.count == 4)
    #expect(first.checkValue != bytes)
  }

  @Test func `printing a key reveals nothing`() throws {
    var text = ""
    dump(try #require(MasterKey([UInt8](repeating: 201, count: 32))), to: &text)
    #expect(!text.contains("201, 201") && !text.contains("- 201\n  - 201"))
    #expect(text.contains("‹secret›"))
  }
}
