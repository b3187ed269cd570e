/// A code that clients act on: what stands before the first ` : ` of an error's message.
///
/// Open: a code that isn't known here survives as it came.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  /// The code of an answer's message.
  public init(message: String) {
    let code = message.utf8.prefix { $0 != UInt8(ascii: ":") }
    let end = code.lastIndex { $0 != UInt8(ascii: " ") }
    rawValue = String(decoding: end.map { code[...$0] } ?? code.prefix(0), as: UTF8.self)
  }
}
