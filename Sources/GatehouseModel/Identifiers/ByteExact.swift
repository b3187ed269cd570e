/// A string whose equality and hash are those of its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence: `"caf\u{e9}" == "cafe\u{301}"`. RFC 7519 §2
/// (StringOrURI) and every provider's subject want a comparison without any transformation, so
/// identifiers adopt this protocol in place of the synthesized conformances.
public protocol ByteExact: Hashable, Sendable, CustomStringConvertible {
  /// The text as it came.
  var text: String { get }
}

extension ByteExact {
  public static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  public var description: String { text }
}

extension String {
  /// Whether both strings are the same sequence of UTF-8 bytes. Not constant in time: for
  /// identifiers, never for secrets (see ``Secret``).
  public func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension Sequence<String> {
  /// Whether one of the strings is the same sequence of UTF-8 bytes as `text`.
  public func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}
