/// A user's name in two parts, as the user's client or browser sent it. Apple sends the name only
/// once, and not in a token. So it isn't verified: a client can write any text.
public struct UserName: Hashable, Sendable {
  public let firstName: String?
  public let lastName: String?

  /// Nil if both parts are nil.
  public init?(firstName: String?, lastName: String?) {
    guard firstName != nil || lastName != nil else { return nil }
    self.firstName = firstName
    self.lastName = lastName
  }
}
