import Foundation
import GatehouseServer
import Testing

@Suite struct FieldsTests {
  @Test func `fields read back in their order`() throws {
    var writer = FieldWriter()
    writer.write("Zo\u{EB}")
    writer.write(nil as String?)
    writer.write("")
    writer.write(true)
    writer.write(false)
    writer.write(nil as Bool?)
    writer.write(Date(timeIntervalSince1970: -1.5))
    writer.write(nil as Date?)
    var reader = FieldReader(writer.bytes)
    #expect(try reader.string() == "Zo\u{EB}")
    #expect(try reader.string() == nil)
    #expect(try reader.string() == "")
    #expect(try reader.flag() == true)
    #expect(try reader.flag() == false)
    #expect(try reader.flag() == nil)
    #expect(try reader.date() == Date(timeIntervalSince1970: -1.5))
    #expect(try reader.date() == nil)
    #expect(throws: FieldReader.Malformed.self) { try reader.string() }
  }

  @Test func `two lists of fields never have the same bytes`() {
    func bytes(_ fields: [String?]) -> [UInt8] {
      var writer = FieldWriter()
      for field in fields { writer.write(field) }
      return writer.bytes
    }
    #expect(bytes(["ab", "c"]) != bytes(["a", "bc"]))
    #expect(bytes(["", "a"]) != bytes(["a", ""]))
    #expect(bytes([nil]) != bytes([""]))
  }

  @Test(
    arguments: [
      [], [2], [255], [1], [1, 0, 0, 0], [1, 0, 0, 0, 1], [1, 255, 255, 255, 255],
      [1, 0, 0, 0, 1, 0xC3], [1, 0, 0, 0, 2, 0xC0, 0x80],
    ] as [[UInt8]])
  func `other bytes are malformed`(bytes: [UInt8]) {
    var reader = FieldReader(bytes)
    #expect(throws: FieldReader.Malformed.self) { try reader.string() }
  }

  @Test(arguments: ["", "2", "01", "true", " 1", "１"])
  func `a flag that is neither 0 nor 1 is malformed`(text: String) {
    var writer = FieldWriter()
    writer.write(text)
    var reader = FieldReader(writer.bytes)
    #expect(throws: FieldReader.Malformed.self) { try reader.flag() }
  }

  @Test(arguments: ["", "x", "1.5", "99999999999999999999", " 1", "+1", "01", "-0"])
  func `a time that is not written as a whole number is malformed`(text: String) {
    var writer = FieldWriter()
    writer.write(text)
    var reader = FieldReader(writer.bytes)
    #expect(throws: FieldReader.Malformed.self) { try reader.date() }
  }

  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan])
  func `a time out of range is written as the nearest one`(seconds: Double) throws {
    var writer = FieldWriter()
    writer.write(Date(timeIntervalSince1970: seconds))
    var reader = FieldReader(writer.bytes)
    #expect(try reader.date() != nil)
  }

  @Test func `random bytes never trap`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let count = Int.random(in: 0...64, using: &generator)
      // Small values, which are lengths and markers, are more frequent than in uniform random
      // bytes.
      var reader = FieldReader(
        (0..<count).map { _ in
          Bool.random() ? UInt8.random(in: 0...4) : UInt8.random(in: .min ... .max)
        })
      while (try? reader.string()) != nil {}
      _ = try? reader.date()
      _ = try? reader.flag()
    }
  }
}
