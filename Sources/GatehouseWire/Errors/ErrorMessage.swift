/// The text of an error's answer: `CODE`, or `CODE : detail`.
///
/// Clients of the protocol cut it at the first colon and compare what stands before.
package struct ErrorMessage: Hashable, Sendable {
  package let code: ErrorCode
  /// A sentence for developers; nil where the code says everything.
  package let detail: String?

  package init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  package var text: String { detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue }

  /// What stands before the first colon of a message: also a code that isn't known here.
  package static func code(of text: String) -> String {
    let code = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    let end = code.lastIndex { $0 != UInt8(ascii: " ") }
    return String(decoding: end.map { code[...$0] } ?? code.prefix(0), as: UTF8.self)
  }
}
