/// How deleting an account ended, if no step failed.
public enum DeletionOutcome: Sendable, Hashable {
  /// The account is deleted, or will be at ``DeletionConfirmation/erasesAt``. No user is signed in.
  case deleted(DeletionReceipt)
  /// The user closed a browser or a sheet other than that of saved passwords, the closure of
  /// `Reauthentication.asking` returned nil, or the task was cancelled. `completed` has the steps
  /// that this call completed before, and the revocations of earlier calls.
  case cancelled(completed: [DeletionStep])
}

public struct DeletionReceipt: Sendable, Hashable {
  /// The providers at which the app's authorization is revoked: by this call, by an earlier one, or by
  /// the user.
  public var revoked: [Provider]
  /// The other linked providers, except `password` and `phone`: nothing was revoked there. The device
  /// can't ask them or has no authorization there, ``DeletionOptions/revoking`` doesn't contain them,
  /// the revocation failed and ``DeletionOptions/RevocationFailure/deleteAnyway`` was chosen, or the
  /// account was deleted already and nothing is known of a revocation. The user can remove the app in
  /// their account at the provider.
  public var notRevoked: [Provider]
  /// The providers at which the server revokes after the deletion. If one can't be reached, the server
  /// tries again for days. If the account was deleted already, they are those of the profile that was
  /// read last.
  public var revokedByServer: [Provider]

  /// What the server confirmed. Empty if its response was lost, or if the account was deleted already.
  public var confirmation: DeletionConfirmation

  public init(
    revoked: [Provider], notRevoked: [Provider], revokedByServer: [Provider] = [],
    confirmation: DeletionConfirmation = DeletionConfirmation()
  ) {
    self.revoked = revoked
    self.notRevoked = notRevoked
    self.revokedByServer = revokedByServer
    self.confirmation = confirmation
  }
}
