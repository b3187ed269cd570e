/// Claims of a provider's token beyond the standard ones, as the text of one JSON object: a part of
/// every ID token of the session.
///
/// The server reads and writes the claims when the user signs in. From then on the text is not read
/// again: it is copied into the tokens as it is.
public struct SignInAttributes: Hashable, Sendable {
  public let jsonText: String

  /// - Parameter jsonText: Is not checked. It comes from a JSON writer of this server, directly or by
  ///   way of the store or a pending token, which only this server writes.
  public init(written jsonText: String) { self.jsonText = jsonText }
}
