/// A number with its original text (RFC 8259 §6).
///
/// Numbers are compared by their text: `1`, `1.0` and `1e0` are three different numbers.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The number's text, which follows the grammar of RFC 8259 §6. Plain ASCII.
  public let text: String

  /// The exact value, if the text is an integer (no fraction, no exponent) that fits in 64 bits.
  ///
  /// `nil` for `-0`, which no integer can represent.
  public let int64: Int64?

  /// The nearest `Double`, or `nil` if that is infinite.
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

  /// The number with the fewest digits that reads back as `value`; `nil` if `value` isn't finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53,
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
