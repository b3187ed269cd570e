/// Whether a user is signed in, in the states that an app's pages distinguish.
public enum AuthenticationState: Sendable, Hashable {
  /// Not known yet: the store hasn't been read, or is locked. Show neither the sign-in page nor the
  /// account page.
  case loading
  case signedOut
  /// A user is signed in to an anonymous account.
  case anonymous(UserSnapshot)
  case signedIn(UserSnapshot)

  init(_ state: SessionState) {
    self =
      switch state {
      case .loading: .loading
      case .signedOut: .signedOut
      case .signedIn(let user): user.isAnonymous ? .anonymous(user) : .signedIn(user)
      }
  }

  /// The user of either kind of account.
  public var user: UserSnapshot? {
    switch self {
    case .loading, .signedOut: nil
    case .anonymous(let user), .signedIn(let user): user
    }
  }
}
