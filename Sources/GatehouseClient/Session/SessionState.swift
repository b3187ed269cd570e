/// The state of the client's session.
public enum SessionState: Sendable, Hashable {
  /// The store has not been read, or can't be read yet (a locked keychain). It isn't known whether
  /// a user is signed in.
  case loading
  case signedOut
  case signedIn(UserSnapshot)

  public var user: UserSnapshot? { if case .signedIn(let user) = self { user } else { nil } }
}
