/// Why the reader refused its input. `==` compares everything.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: String, Sendable, Hashable {
    /// The bytes end within a value.
    case unexpectedEnd
    /// A byte that the grammar doesn't allow at this place.
    case unexpectedByte
    /// Something other than white space follows the value.
    case trailingBytes
    /// A number that the grammar of RFC 8259 §6 doesn't allow, such as `01` or `1.e5`.
    ///
    /// The first byte is a digit or a minus sign: `+1` and `NaN` are an `unexpectedByte`.
    case invalidNumber
    /// An escape that the grammar of RFC 8259 §7 doesn't allow.
    case invalidEscape
    /// An escaped half of a surrogate pair, which isn't a character (RFC 8259 §8.2).
    case loneSurrogate
    /// A string contains an unescaped control character.
    case controlCharacter
    /// A string that isn't UTF-8.
    case invalidUTF8
    /// Two members of one object have the same name, which is in ``JSONError/member``.
    case duplicateMember
    /// An object was required, but the value is of another kind.
    case notAnObject
    /// More bytes than ``JSONLimits/bytes``.
    case tooManyBytes
    /// Nested deeper than ``JSONLimits/depth``.
    case tooDeep
    /// More members and elements than ``JSONLimits/values``.
    case tooManyValues
    /// A string longer than ``JSONLimits/stringBytes``.
    case stringTooLong
    /// A string with more than 256 combining characters in a row, which Swift compares very slowly.
    case tooManyCombiningCharacters
    /// A number longer than ``JSONLimits/numberBytes``.
    case numberTooLong
  }

  public let code: Code

  /// The position of the error, in bytes from the beginning.
  public let offset: Int

  /// The name of the duplicate member. It comes from the input: shorten it before you show it.
  public let member: String?

  public init(_ code: Code, offset: Int, member: String? = nil) {
    self.code = code
    self.offset = offset
    self.member = member
  }

  /// Holds at most 64 characters of a duplicate member's name, and nothing else of the input.
  public var description: String {
    let name = member.map { " “\($0.prefix(64))”" } ?? ""
    return "\(code.rawValue)\(name) at byte \(offset)"
  }
}
