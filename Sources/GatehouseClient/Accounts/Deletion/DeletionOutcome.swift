/// How deleting an account ended, where nothing failed.
public enum DeletionOutcome: Sendable, Hashable {
  /// The account is gone, and nobody is signed in.
  case deleted(DeletionReceipt)
  /// The person closed a sheet. `completed` is empty but where an earlier call failed half-way.
  case cancelled(completed: [DeletionStep])
}

public struct DeletionReceipt: Sendable, Hashable {
  /// Which providers took the app off the person's list, in this call and earlier ones.
  public var revoked: [Provider]
  /// Those that were linked and weren't asked: the device has no way to, or they refused and
  /// ``DeletionOptions/RevocationFailure/deleteAnyway`` was chosen. The person can remove the app
  /// in their account there.
  public var notRevoked: [Provider]

  public init(revoked: [Provider], notRevoked: [Provider]) {
    self.revoked = revoked
    self.notRevoked = notRevoked
  }
}
