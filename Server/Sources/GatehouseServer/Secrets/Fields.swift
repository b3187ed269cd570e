package import Foundation

/// Writes length-prefixed fields. This encoding is unambiguous, which is all that encrypted data
/// needs.
package struct FieldWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ field: String?) {
    guard let field else {
      bytes.append(0)
      return
    }
    bytes.append(1)
    let count = UInt32(clamping: field.utf8.count)
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: count >> shift))
    }
    bytes.append(contentsOf: field.utf8)
  }

  package mutating func write(_ flag: Bool?) { write(flag.map { $0 ? "1" : "0" }) }

  /// Writes the time to the millisecond. A time out of range becomes the nearest one that fits.
  package mutating func write(_ date: Date?) {
    write(
      date.map { date in
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return String(Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
      })
  }
}

/// Reads what ``FieldWriter`` wrote. Throws ``Malformed`` for other bytes, and never traps.
package struct FieldReader {
  private var rest: ArraySlice<UInt8>

  package struct Malformed: Error {}

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package mutating func string() throws -> String? {
    switch rest.popFirst() {
    case 0: return nil
    case 1: break
    default: throw Malformed()
    }
    guard rest.count >= 4 else { throw Malformed() }
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    guard count <= rest.count, let field = String(validating: rest.prefix(count), as: UTF8.self)
    else { throw Malformed() }
    rest = rest.dropFirst(count)
    return field
  }

  package mutating func flag() throws -> Bool? {
    guard let text = try string() else { return nil }
    if text.utf8.elementsEqual("1".utf8) { return true }
    guard text.utf8.elementsEqual("0".utf8) else { throw Malformed() }
    return false
  }

  package mutating func date() throws -> Date? {
    guard let text = try string() else { return nil }
    guard let milliseconds = Int64(text), String(milliseconds).utf8.elementsEqual(text.utf8) else {
      throw Malformed()
    }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}
