package import struct Foundation.Date

/// A value for a `?` in a statement.
package enum SQLValue: Hashable {
  case integer(Int64)
  case text(String)
  case blob([UInt8])
  case null

  /// Whether the text contains the character U+0000. PostgreSQL can't store it, so no engine does.
  var hasZeroCharacter: Bool {
    guard case .text(var text) = self else { return false }
    // A loop over memory takes a third of the instructions of one over `String.UTF8View`.
    return text.withUTF8 { unsafe $0.contains(0) }
  }

  package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }

  package static func time(_ value: Date) -> SQLValue { .integer(value.milliseconds) }

  package static func optional(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }

  package static func optional(_ value: [UInt8]?) -> SQLValue { value.map { .blob($0) } ?? .null }

  package static func optional(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }

  package static func optional(_ value: Date?) -> SQLValue { value.map { .time($0) } ?? .null }

  package static func optional(_ value: Bool?) -> SQLValue { value.map { .flag($0) } ?? .null }
}

extension Date {
  /// Milliseconds since 1970, rounded down, as the database stores a time. A time out of range
  /// becomes the nearest one that fits.
  package var milliseconds: Int64 {
    // `init(milliseconds:)` divides by 1000. After that, a whole number of milliseconds can be a
    // few ten-thousandths too small, so 0.01 is added before rounding.
    let value = (timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    return Int64(exactly: value) ?? (value > 0 ? .max : .min)
  }

  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
