/// A change of who is signed in, or of what is known of them.
public struct SessionChange: Sendable {
  public var state: SessionState
  public var user: SignedInUser?
  public var kinds: Kinds
  /// Why, where neither the person nor the app wanted it: ``ClientError/sessionEnded(_:)`` after the
  /// server said so, ``ClientError/store(_:)`` where what was stored can't be read any more.
  public var cause: ClientError?

  public struct Kinds: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Somebody else is signed in, or nobody, or it is known for the first time.
    public static let session = Kinds(rawValue: 1)
    /// There is another ID token (also none).
    public static let idToken = Kinds(rawValue: 2)
    /// Something in the snapshot is different.
    public static let profile = Kinds(rawValue: 4)
  }

  package init(
    state: SessionState, user: SignedInUser?, kinds: Kinds, cause: ClientError? = nil
  ) {
    self.state = state
    self.user = user
    self.kinds = kinds
    self.cause = cause
  }
}
