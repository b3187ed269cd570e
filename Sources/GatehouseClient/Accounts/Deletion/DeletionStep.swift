/// A step of deleting an account, in the order of execution.
public enum DeletionStep: Sendable, Hashable {
  /// Checking that the session is valid, and how old the sign-in is.
  case prepare
  /// The user re-authenticates. Always before anything is revoked.
  case reauthenticate(Provider)
  /// The provider removes the app from the user's list.
  case revoke(Provider)
  case delete
}
