/// A user's consent, for a project that requires it before identities are joined.
public struct Consent: Sendable, Hashable, Codable {
  /// The app's name for the text that was shown, 1 to 128 bytes.
  public var version: String
  /// What is joined: provider ids, `email`, `phone`.
  public var joins: [String]

  public init(version: String, joins: [String]) {
    self.version = version
    self.joins = joins
  }
}
