/// A piece of HTML. An interpolated `String` is escaped, an interpolated `HTML` is not, so that a
/// text can only get into a page unescaped where ``init(verbatim:)`` says so.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral literal: String) { text = literal }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// - Parameter text: HTML. It isn't escaped.
  init(verbatim text: String) { self.text = text }

  static let nothing: HTML = ""

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ text: String) { self.text += HTML.escaped(text) }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    /// Nothing for nil.
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }
  }

  /// By Unicode scalars: in a `String`, a quote followed by a combining mark is a different
  /// character.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
