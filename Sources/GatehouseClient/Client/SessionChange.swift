/// A change of the signed-in user, or of what is known about the user.
public struct SessionChange: Sendable {
  public var state: SessionState
  public var user: SignedInUser?
  public var kinds: Kinds
  /// The cause, if neither the user nor the app made the change: ``ClientError/sessionEnded(_:)``
  /// if the server ended the session, ``ClientError/store(_:)`` if the stored data can't be read, or,
  /// without any ``kinds``, if a change can't be written. Nil if another process that shares the store
  /// made it.
  public var cause: ClientError?

  public struct Kinds: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Another user or no user is signed in, or the state is known for the first time.
    public static let session = Kinds(rawValue: 1)
    /// The ID token was replaced or removed.
    public static let idToken = Kinds(rawValue: 2)
    /// A value in the user's snapshot changed.
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
