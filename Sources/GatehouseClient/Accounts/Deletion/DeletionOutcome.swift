/// How deleting an account ended, if no step failed.
public enum DeletionOutcome: Sendable, Hashable {
  /// The account is deleted, and no user is signed in.
  case deleted(DeletionReceipt)
  /// The user closed a sheet. `completed` is empty unless an earlier call failed partway, or this
  /// call completed a step before the sheet was closed.
  case cancelled(completed: [DeletionStep])
}

public struct DeletionReceipt: Sendable, Hashable {
  /// The providers that removed the app from the user's list, in this call and earlier ones.
  public var revoked: [Provider]
  /// The linked providers that didn't revoke: the device can't ask them, or they refused and
  /// ``DeletionOptions/RevocationFailure/deleteAnyway`` was chosen. The user can remove the app in
  /// their account at the provider.
  public var notRevoked: [Provider]
  /// The providers at which the server revokes after the deletion, for days if they are unreachable.
  public var revokedByServer: [Provider]

  /// What the server confirmed; empty if its answer was lost.
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
