/// A string that is compared and hashed by its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence: `"caf\u{e9}" == "cafe\u{301}"`. RFC 7519 §2
/// (StringOrURI) and the subjects of all providers require a comparison without any transformation.
/// Therefore identifiers adopt this protocol in place of the synthesized conformances.
public protocol ByteExact: Hashable, Sendable, CustomStringConvertible {
  /// The original text.
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

/// A member's name, or a string value of JSON: with other bytes it is another one.
struct ByteString: ByteExact {
  let text: String

  init(_ text: String) { self.text = text }
}

extension String {
  /// Whether both strings are the same sequence of UTF-8 bytes. The time isn't constant: call this
  /// function for identifiers, never for secrets (see ``Secret``).
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // A loop over memory takes a third of the instructions that a loop over `String.UTF8View` takes.
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { unsafe left.elementsEqual($0) } }
  }
}

extension Sequence<String> {
  /// Whether one of the strings is the same sequence of UTF-8 bytes as `text`.
  public func containsBytes(of text: String) -> Bool {
    contains { $0.hasSameBytes(as: text) }
  }
}
