/// A field whose value doesn't have the type that the protocol requires. `==` compares everything.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field's path in camelCase: `email`, `linkProviderUserInfo.rawId`, `localId[2]`.
  public let field: String
  /// The type that the protocol requires.
  public let wanted: Kind

  public init(field: String, wanted: Kind) {
    self.field = field
    self.wanted = wanted
  }

  /// A type, under its name in Google's responses.
  public enum Kind: String, Hashable, Sendable {
    case string = "TYPE_STRING"
    case bool = "TYPE_BOOL"
    case int64 = "TYPE_INT64"
    case enumeration = "TYPE_ENUM"
    case message = "TYPE_MESSAGE"
    case list = "TYPE_LIST"
    case bytes = "TYPE_BYTES"
  }

  /// Contains nothing of the value, which may be a password.
  public var description: String { "Invalid value at '\(field)' (\(wanted.rawValue))" }
}
