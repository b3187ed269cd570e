/// A step of deleting an account, in the order in which they are done.
public enum DeletionStep: Sendable, Hashable {
  /// Looking whether the session is good, and how old the sign-in is.
  case prepare
  /// The person proves again who they are. Always before anything is revoked.
  case reauthenticate(Provider)
  /// The provider takes the app off the person's list.
  case revoke(Provider)
  case delete
}
