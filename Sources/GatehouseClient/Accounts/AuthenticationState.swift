/// Whether somebody is signed in, as an app's pages distinguish it.
public enum AuthenticationState: Sendable, Hashable {
  /// Not known yet: the store hasn't been read, or is locked. Show neither page.
  case loading
  case signedOut
  /// Somebody has an account without having said who they are.
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

  /// The person of either kind of account.
  public var user: UserSnapshot? {
    switch self {
    case .loading, .signedOut: nil
    case .anonymous(let user), .signedIn(let user): user
    }
  }
}
