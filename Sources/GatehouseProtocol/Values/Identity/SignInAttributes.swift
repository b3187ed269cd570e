/// Claims of a provider's token beyond the standard ones, as the text of one JSON object. They are
/// in the ID tokens of the session, except in a token that would be too long with them.
///
/// The server parses the claims when the user signs in. From then on it copies the text unchanged
/// into the ID tokens.
public struct SignInAttributes: Hashable, Sendable {
  public let jsonText: String

  /// - Parameter jsonText: The text of a JSON object. Not checked: a JSON writer of this server
  ///   wrote it, and only the server writes the store and the pending tokens from which it may be
  ///   read.
  public init(written jsonText: String) { self.jsonText = jsonText }
}
