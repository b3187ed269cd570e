import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Makes the code by which the holder of the account's address takes it back after a change.
  ///
  /// Only for an address that was verified: the account of a mistyped one would otherwise be offered
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
      .emailRecovery, uid: account.uid, email: email,
      verifiedAt: account.emailVerifiedAt ?? account.createdAt, link: link, now: now)
    try insert(issued.record, in: project)
    return issued
  }

  /// Gives the account back to the holder of the code's address.
  ///
  /// What was added to the account since the address was last under its holder's control goes with
  /// the change: a password set, identities or a number linked. A thief adds them before the address is changed.
  /// So do the recoveries of later changes; those of earlier ones stay, so that a thief's own code
  /// doesn't end the owner's.
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
    account.verifyEmail(now: now)
    // A code of an earlier version of this server doesn't know.
    let limit = code.verifiedAt ?? code.createdAt
    account.identities.removeAll { $0.linkedAt > limit || $0.unconfirmedSince != nil }
    if let setAt = account.passwordUpdatedAt, setAt > limit { account.removePassword() }
    if account.phoneUnconfirmedSince != nil || account.phoneLinkedAt.map({ $0 > limit }) == true,
      !account.assignedFields.contains(.phoneNumber)
    {
      account.removePhoneNumber()
    }
  }

  /// Takes an address that nobody verified off an account to which an earlier, verified address can
  /// still come back.
  ///
  /// Whoever proves the new address has no right to what the holder of the earlier one may have in
  /// the account, nor the other way round: a thief changes the address of a stolen account, a squatter
  /// gives theirs the address of a victim. So neither gets the other's: the account stays with the
  /// earlier address's holder, and the new address is free for an account of its own.
  ///
  /// - Returns: Whether the address is free now. The account is saved.
  func releaseEmail(of account: Account, in project: ProjectID, now: Date) throws -> Bool {
    guard account.email != nil, !account.isEmailVerified,
      try countActionCodes(of: account.uid, for: .emailRecovery, now: now, in: project) > 0
    else { return false }
    var released = account
    released.replaceEmail(by: nil)
    // A link to the address is no way in without it.
    released.hasEmailLink = false
    try endActionCodes(of: account.uid, in: project)
    try save(released, in: project)
    return true
  }
}
