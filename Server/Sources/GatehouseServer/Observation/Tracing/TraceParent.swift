import GatehouseProtocol

/// The place of a span in a trace, as requests carry it in `traceparent` (W3C Trace Context §3.2).
package struct TraceParent: Hashable, Sendable {
  /// 32 lower-case hexadecimal digits.
  package let trace: String
  /// 16 of them.
  package let span: String
  package let isSampled: Bool

  /// The span of a new trace.
  static func new(isSampled: Bool) -> TraceParent {
    TraceParent(trace: hexadecimal(bytes: 16), span: hexadecimal(bytes: 8), isSampled: isSampled)
  }

  /// A span of the same trace.
  func child() -> TraceParent {
    TraceParent(trace: trace, span: Self.hexadecimal(bytes: 8), isSampled: isSampled)
  }

  private init(trace: String, span: String, isSampled: Bool) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
  }

  /// - Parameter isSampled: In place of the sender's flag, so that a client can't make the server record.
  /// - Returns: Nil for a text that isn't a `traceparent`. A version above 00 may have further fields.
  package init?(_ text: String, isSampled: Bool) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 55, bytes.count <= 512, bytes[2] == 0x2D, bytes[35] == 0x2D,
      bytes[52] == 0x2D,
      [0..<2, 3..<35, 36..<52, 53..<55].allSatisfy({ bytes[$0].allSatisfy(Self.isDigit) })
    else { return nil }
    let version = String(decoding: bytes[..<2], as: UTF8.self)
    guard version != "ff",
      version == "00" ? bytes.count == 55 : bytes.count == 55 || bytes[55] == 0x2D
    else { return nil }
    let zero = UInt8(ascii: "0")
    guard !bytes[3..<35].allSatisfy({ $0 == zero }), !bytes[36..<52].allSatisfy({ $0 == zero })
    else {
      return nil
    }
    trace = String(decoding: bytes[3..<35], as: UTF8.self)
    span = String(decoding: bytes[36..<52], as: UTF8.self)
    self.isSampled = isSampled
  }

  package var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func hexadecimal(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    while true {
      let bytes = generator.bytes(count)
      if bytes.contains(where: { $0 != 0 }) { return Hexadecimal.text(bytes) }
    }
  }
}
