import GatehouseProtocol
import Testing

/// Randomly changed texts: nothing traps, and a value that is read is the same after writing and
/// reading it again.
@Suite struct JSONMutationTests {
  private static let seeds = [
    "{\"a\":[1,-2.5e+10,\"x\\u00e9\\ud83d\\ude00\\n\",true,null,{}],\"é\":\"\\\\\"}",
    "[[[[[[]]]]],{\"k\":{\"k\":{\"k\":0}}},9223372036854775807,-0,1e-7]",
  ]

  @Test(arguments: 0..<16)
  func `mutated texts are refused or read`(seed: UInt64) throws {
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
    }
    for text in Self.seeds {
      for _ in 0..<1_000 {
        var bytes = Array(text.utf8)
        for _ in 0...random(3) where !bytes.isEmpty {
          let place = random(bytes.count)
          switch random(4) {
          case 0: bytes[place] = UInt8(truncatingIfNeeded: random(256))
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
          default: bytes.removeLast(random(bytes.count))
          }
        }
        if let value = try? JSONValue(parsing: bytes) {
          #expect(try JSONValue(parsing: value.serialized()) == value)
        }
      }
    }
  }
}
