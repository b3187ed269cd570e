/// Why bytes are not JSON that we take. `==` compares everything.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: String, Sendable, Hashable {
    /// The bytes end within a value.
    case unexpectedEnd
    /// A byte that the grammar doesn't allow at its place.
    case unexpectedByte
    /// Something other than white space follows the value.
    case trailingBytes
    /// A number against the grammar of RFC 8259 §6: `01`, `1.`, `+1`, `NaN`.
    case invalidNumber
    /// An escape against the grammar of RFC 8259 §7.
    case invalidEscape
    /// Half of a surrogate pair, escaped: it names no character (RFC 8259 §8.2).
    case loneSurrogate
    /// A control character that isn't escaped within a string.
    case controlCharacter
    /// A string that isn't UTF-8.
    case invalidUTF8
    /// A name twice in one object; ``JSONError/member`` names it.
    case duplicateMember
    /// The value was to be an object.
    case notAnObject
    /// More bytes than ``JSONLimits/bytes``.
    case tooManyBytes
    /// Nested deeper than ``JSONLimits/depth``.
    case tooDeep
    /// More members and elements than ``JSONLimits/values``.
    case tooManyValues
    /// A string longer than ``JSONLimits/stringBytes``.
    case stringTooLong
    /// A number longer than ``JSONLimits/numberBytes``.
    case numberTooLong
  }

  public let code: Code

  /// Where, in bytes from the beginning.
  public let offset: Int

  /// The name of the duplicate member. It comes from the input: cut it before showing it.
  public let member: String?

  public init(_ code: Code, offset: Int, member: String? = nil) {
    self.code = code
    self.offset = offset
    self.member = member
  }

  /// Holds nothing of the input but up to 64 characters of a duplicate member's name.
  public var description: String {
    let name = member.map { " “\($0.prefix(64))”" } ?? ""
    return "\(code.rawValue)\(name) at byte \(offset)"
  }
}
