/// A number as it was written (RFC 8259 §6).
///
/// Equality is of the text: `1`, `1.0` and `1e0` are three numbers here.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The number's text, which follows the grammar of RFC 8259 §6. Plain ASCII.
  public let text: String

  /// The value if it was written as an integer (no fraction, no exponent) that fits, exactly.
  ///
  /// `nil` for `-0`, which no integer can represent.
  public let int64: Int64?

  /// The nearest `Double`, or `nil` where that would be infinite.
  public var double: Double? {
    if let int64 { return Double(int64) }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  public var description: String { text }

  public init(_ value: Int64) {
    self.text = String(value)
    self.int64 = value
  }

  /// The shortest text that reads back as `value`; `nil` if `value` isn't finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    if let integer = Int64(exactly: value), abs(integer) < 1 << 53,
      value.sign == .plus || value != 0
    {
      self.init(integer)
    } else {
      self.init(checkedText: "\(value)", int64: nil)
    }
  }

  /// For the reader, which has checked the grammar.
  init(checkedText text: String, int64: Int64?) {
    self.text = text
    self.int64 = int64
  }
}
