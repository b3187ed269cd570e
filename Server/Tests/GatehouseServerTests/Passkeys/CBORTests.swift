import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct CBORTests {
  private static func read(_ hex: String) throws -> CBOR {
    try CBORReader.read(try #require(Hexadecimal.bytes(hex)))
  }

  /// RFC 8949, appendix A.
  @Test(arguments: [
    ("00", CBOR.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)),
    ("1903e8", .unsigned(1000)), ("1a000f4240", .unsigned(1_000_000)),
    ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3863", .negative(99)),
    ("4401020304", .bytes([1, 2, 3, 4])), ("6161", .text("a")), ("62c3bc", .text("ü")),
    ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("80", .array([])),
    ("a0", .map([])), ("f4", .simple(20)), ("f6", .simple(22)), ("f93c00", .float([0x3C, 0])),
  ])
  func `an item of the standard's examples is read`(hex: String, item: CBOR) throws {
    #expect(try Self.read(hex) == item)
  }

  @Test func `the keys of a map are found`() throws {
    let map = try Self.read("a3010220036161f5")
    #expect(map[.unsigned(1)] == .unsigned(2))
    #expect(map[.negative(0)]?.integer == 3)
    #expect(map["a"] == .simple(21))
    #expect(map["b"] == nil)
  }

  @Test(arguments: [
    ("", CBORError.Code.unexpectedEnd, 0), ("18", .unexpectedEnd, 1), ("4401", .unexpectedEnd, 1),
    ("5bffffffffffffffff", .unexpectedEnd, 9), ("8201", .unexpectedEnd, 2),
    ("9bffffffffffffffff", .unexpectedEnd, 9), ("a101", .unexpectedEnd, 2),
    ("0000", .trailingBytes, 1), ("1817", .notShortest, 0), ("190018", .notShortest, 0),
    ("1b00000000ffffffff", .notShortest, 0), ("580100", .notShortest, 0),
    ("5f41ff", .indefiniteLength, 0), ("9fff", .indefiniteLength, 0),
    ("bfff", .indefiniteLength, 0),
    ("ff", .indefiniteLength, 0), ("c001", .tag, 0), ("1c", .unassigned, 0), ("f0", .unassigned, 0),
    ("f820", .unassigned, 0), ("61ff", .invalidUTF8, 0), ("a1f501", .invalidKey, 1),
    ("a18001", .invalidKey, 1), ("a201000100", .duplicateKey, 3),
    ("a2616100616101", .duplicateKey, 4),
    ("a202000100", .unorderedKeys, 3), ("a220000100", .unorderedKeys, 3),
    ("a262616100616201", .unorderedKeys, 5),
  ])
  func `an item that isn't canonical is refused`(hex: String, code: CBORError.Code, offset: Int) {
    #expect(throws: CBORError(code: code, offset: offset)) { try Self.read(hex) }
  }

  @Test func `eight levels are read, and nine are refused`() throws {
    let depth = CBORReader.maximumDepth
    _ = try Self.read(String(repeating: "81", count: depth) + "00")
    #expect(throws: CBORError(code: .tooDeep, offset: depth + 1)) {
      try Self.read(String(repeating: "81", count: depth + 1) + "00")
    }
  }

  @Test func `the number of items and of bytes is limited`() throws {
    let count = CBORReader.maximumItems
    let most = [0x99, UInt8((count - 1) >> 8), UInt8((count - 1) & 255)]
    _ = try CBORReader.read(most + [UInt8](repeating: 0, count: count - 1))
    let more = [0x99, UInt8(count >> 8), UInt8(count & 255)]
    #expect(throws: CBORError(code: .tooManyItems, offset: count + 2)) {
      try CBORReader.read(more + [UInt8](repeating: 0, count: count))
    }
    #expect(throws: CBORError(code: .tooManyBytes, offset: 0)) {
      try CBORReader.read([UInt8](repeating: 0, count: CBORReader.maximumBytes + 1))
    }
  }
}
