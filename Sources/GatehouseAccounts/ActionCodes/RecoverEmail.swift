import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Makes the code by which the holder of the account's address takes it back after a change.
  ///
  /// Only for an address that was proven: the account of a mistyped one would otherwise be offered
  /// to a stranger.
  ///
  /// - Parameter link: Nil where nobody could be told of the code.
  /// - Returns: Nil if there is nobody to send it to.
  func issueRecovery(
    of account: Account, by issuer: ActionCodeIssuer, link: CodeLink?, in project: ProjectID,
    now: Date
  ) throws -> IssuedActionCode? {
    guard let email = account.email, account.isEmailVerified, let link, issuer.delivery != nil,
      // The oldest stay: a thief can't push out the owner's with addresses of their own.
      try countActionCodes(of: account.uid, for: .emailRecovery, now: now, in: project)
        < ActionCode.maximumLive
    else { return nil }
    let issued = try issuer.make(
      .emailRecovery, uid: account.uid, email: email, link: link, now: now)
    try insert(issued.record, in: project)
    return issued
  }

  /// Gives the account back to the holder of the code's address.
  ///
  /// What was added to the account since the address was changed goes with the change: a password
  /// set, identities linked. So do the recoveries of later changes; those of earlier ones stay, so
  /// that a thief's own code doesn't end the owner's.
  func recoverEmail(
    of account: inout Account, with code: ActionCode, in project: ProjectID, now: Date
  ) throws {
    if let owner = try self.account(email: code.email, in: project), owner.uid != account.uid {
      throw AccountsError.emailExists
    }
    try revokeEverything(of: &account, in: project, now: now)
    try deleteActionCodes(
      of: account.uid, for: .emailRecovery, since: code.createdAt, in: project)
    account.email = code.email
    account.isEmailVerified = true
    account.identities.removeAll { $0.linkedAt >= code.createdAt }
    if let setAt = account.passwordUpdatedAt, setAt >= code.createdAt { account.removePassword() }
  }
}
