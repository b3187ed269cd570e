import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct SessionIDTests {
  private static let samples: [SessionID] = [
    SessionID(high: 0, low: 0), SessionID(high: .max, low: .max),
    SessionID(high: 0x0123_4567_89AB_CDEF, low: 1), SessionID(high: 1 << 63, low: 0xF),
  ]

  @Test(arguments: samples)
  func `a session id is the same after writing and reading its text`(id: SessionID) {
    #expect(id.description.utf8.count == 32)
    #expect(SessionID(id.description) == id)
  }

  @Test(arguments: samples)
  func `a session id is the same after writing and reading its bytes`(id: SessionID) {
    #expect(id.bytes.count == 16)
    #expect(SessionID(bytes: id.bytes) == id)
  }

  @Test func `the high word comes first`() {
    let id = SessionID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    #expect(id.description == "0123456789abcdeffedcba9876543210")
    #expect(id.bytes.first == 0x01)
    #expect(id.bytes.last == 0x10)
  }

  @Test(arguments: [
    "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
    String(repeating: "A", count: 32), String(repeating: "g", count: 32),
    "+" + String(repeating: "0", count: 31), String(repeating: "\u{E9}", count: 16),
  ])
  func `any other text is refused`(text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test(arguments: [0, 15, 17])
  func `any other number of bytes is refused`(count: Int) {
    #expect(SessionID(bytes: [UInt8](repeating: 0, count: count)) == nil)
  }

  @Test func `random session ids differ`() {
    var generator = SystemRandomNumberGenerator()
    #expect(Set((0..<100).map { _ in SessionID(using: &generator) }).count == 100)
  }
}
