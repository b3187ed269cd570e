/// Six digits as a user types them: in any script, with spaces and hyphens.
public struct TypedDigits: Sendable {
  public static let count = 6

  /// ``count`` ASCII digits.
  public let text: String

  public enum Fault: Error, Hashable, Sendable {
    case otherCharacter
    /// More or fewer than ``TypedDigits/count`` digits.
    case otherCount
  }

  public init(_ typed: String) throws(Fault) {
    var text = ""
    for character in typed where !character.isWhitespace && character != "-" {
      // A single character can be a greater number, such as `⑩`.
      guard let value = character.wholeNumberValue, (0...9).contains(value) else {
        throw .otherCharacter
      }
      text += String(value)
    }
    guard text.utf8.count == Self.count else { throw .otherCount }
    self.text = text
  }
}
