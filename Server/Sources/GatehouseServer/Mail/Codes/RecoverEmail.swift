import Foundation
import GatehouseProtocol

extension Transaction {
  /// Creates the code with which the user recovers the account's address after a change.
  ///
  /// Creates none for an unverified address: if the user mistyped it, the code would offer the account
  /// to the owner of another mailbox.
  ///
  /// - Parameters:
  ///   - account: The account before the change.
  ///   - newEmail: The new address, which the email names. Nil if the address was removed.
  ///   - link: Nil if the code can't be sent.
  /// - Returns: Nil if no code was created.
  func issueRecovery(
    of account: Account, replacedBy newEmail: EmailAddress?, by issuer: ActionCodeIssuer,
    link: CodeLink?, in project: ProjectID, now: Date
  ) throws -> IssuedActionCode? {
    guard let email = account.email, account.isEmailVerified, let link, issuer.delivers,
      // The oldest codes stay. So an attacker who changes the address again can't remove the code of
      // the account's user.
      try countActionCodes(of: account.uid, for: .emailRecovery, now: now, in: project)
        < ActionCode.maximumLive
    else { return nil }
    let issued = try issuer.make(
      .emailRecovery, of: account, email: email, replacedBy: newEmail,
      verifiedAt: account.emailVerifiedAt ?? account.createdAt, link: link, now: now)
    try issuer.store(issued, in: project, self)
    return issued
  }

  /// Restores the code's address, so that the user of this address gets the account back.
  ///
  /// The recovery removes the credentials that were added to the account since the address was last
  /// verified, and those that are unconfirmed: a password, identities, passkeys, a phone number. An attacker may
  /// have added them before the change of the address. A number that an administrator set stays. The
  /// consents that were given since then are deleted: the attacker may have given them.
  ///
  /// Second factors stay, because the mailbox isn't one: except those that the session could enroll which changed
  /// the address, and the recovery codes, which it could see.
  ///
  /// The recovery also ends the recovery codes of later changes. Those of earlier changes stay, so that
  /// an attacker's own code doesn't end the user's code.
  ///
  /// If another account has the address and never verified it, that account loses the address. Anyone can
  /// sign up with a free address, but the code shows that this user reads mail there.
  ///
  /// - Throws: ``AccountsError/emailExists`` if another account has verified the address.
  func recoverEmail(
    of account: inout Account, with code: ActionCode, recentSignInSeconds: Int,
    in project: ProjectID, now: Date
  ) throws {
    if let owner = try self.account(email: code.email, in: project), owner.uid != account.uid {
      if owner.isEmailVerified { throw AccountsError.emailExists }
      // Otherwise an attacker who moved the account to another address could prevent the recovery by a
      // sign-up with the address that became free.
      try releaseEmail(of: owner, in: project, now: now)
    }
    try revokeEverything(of: &account, in: project, now: now)
    try deleteActionCodes(
      of: account.uid, for: .emailRecovery, since: code.createdAt, in: project)
    account.email = code.email
    account.verifyEmail(now: now)
    // The attacker who changed the address may also have scheduled the deletion.
    account.deletionScheduledFor = nil
    let limit = code.verifiedAt ?? code.createdAt
    account.identities.removeAll { $0.linkedAt > limit || $0.unconfirmedSince != nil }
    try forgetTokensOfRemovedIdentities(of: account, in: project)
    let passkeys = try passkeys(of: account, in: project).filter {
      $0.createdAt > limit || $0.unconfirmedSince != nil
    }
    _ = try removePasskeys(passkeys.map(\.credentialID), from: &account, in: project)
    if let setAt = account.passwordUpdatedAt, setAt > limit { account.removePassword() }
    if account.phoneUnconfirmedSince != nil || account.phoneLinkedAt.map({ $0 > limit }) == true,
      !account.assignedFields.contains(.phoneNumber)
    {
      account.removePhoneNumber()
    }
    account.secondFactors?.removeRecent(
      since: code.createdAt.addingTimeInterval(
        -TimeInterval(recentSignInSeconds) - ActionCode.Purpose.emailChange.lifetimeSeconds))
    try deleteConsents(of: account.uid, givenAfter: limit, in: project)
  }

  private func deleteConsents(
    of uid: UID, givenAfter limit: Date, in project: ProjectID
  ) throws {
    let consents = try consents(of: uid, in: project)
    let kept = consents.filter { $0.givenAt <= limit }
    guard kept.count < consents.count else { return }
    try deleteConsents(of: uid, in: project)
    for consent in kept { try record(consent, of: uid, in: project) }
  }

  /// Whether a recovery code can restore an earlier, verified address of an account whose address is
  /// unverified; see ``TakeOverDecision/release``.
  func isRecoverable(_ account: Account, in project: ProjectID, now: Date) throws -> Bool {
    guard account.email != nil, !account.isEmailVerified else { return false }
    return try countActionCodes(of: account.uid, for: .emailRecovery, now: now, in: project) > 0
  }

  /// Removes the unverified address from an account, so that it is free for another account.
  ///
  /// The two addresses may belong to two users: an attacker may have changed the address of a stolen
  /// account, or may have given their own account the address of a victim. So the account stays with
  /// the user of the earlier address, or with the user of its custom tokens.
  ///
  /// Call it for ``TakeOverDecision/release``, or if a recovery code shows that the address is another user's.
  /// Saves the account.
  ///
  /// The request comes from the other user, so the event says neither from where nor with which device:
  /// the account's user can read it.
  func releaseEmail(of account: Account, in project: ProjectID, now: Date) throws {
    var released = account
    released.replaceEmail(by: nil)
    // A sign-in link needs an address.
    released.hasEmailLink = false
    try endActionCodes(of: account.uid, in: project)
    var origin = EventOrigin.current.with(actor: .server)
    origin.source = EventSource()
    try EventOrigin.$current.withValue(origin) {
      try save(released, replacing: account, in: project, now: now)
    }
  }
}
