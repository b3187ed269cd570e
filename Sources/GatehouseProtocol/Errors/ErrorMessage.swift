/// The message of an error: `CODE`, or `CODE : detail`.
///
/// Clients of the protocol split it at the first colon and compare the text before it.
public struct ErrorMessage: Hashable, Sendable {
  public let code: ErrorCode
  /// A sentence for developers; nil if the code is sufficient.
  public let detail: String?

  public init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  public var text: String { detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue }

  /// The text before the first colon of a message, even if the code is unknown here.
  public static func code(of text: String) -> String {
    let code = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    let end = code.lastIndex { $0 != UInt8(ascii: " ") }
    return String(decoding: end.map { code[...$0] } ?? code.prefix(0), as: UTF8.self)
  }
}
