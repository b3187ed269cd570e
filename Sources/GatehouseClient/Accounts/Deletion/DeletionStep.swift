/// A step of deleting an account, in the order of execution.
public enum DeletionStep: Sendable, Hashable {
  /// Checking that the session is valid, and how old the sign-in is.
  case prepare
  /// Re-authenticating the user, before anything is revoked.
  case reauthenticate(Provider)
  /// Revoking the app's authorization at the provider.
  case revoke(Provider)
  case delete
}
