package import GatehouseProtocol

package import struct Foundation.Date

/// The result of a transfer.
package enum SubjectTransferOutcome: Hashable, Sendable {
  case moved
  /// The identity was unlinked, or its account deleted, since the transfer was prepared.
  case gone
  /// Another account has the new subject: its user signed in after the transfer, before this server
  /// knew the transfer identifier. Nothing was changed.
  case taken
}

extension Transaction {
  /// Gives an identity its subject in the new team.
  ///
  /// The kept tokens are deleted. They were issued to the old team, so Apple rejects them now, which
  /// would look like a withdrawal by the user.
  ///
  /// - Parameters:
  ///   - email: The user's address in the new team, such as a new relay address; nil if Apple sent none.
  ///     It replaces the identity's old address. If the account has the old address too, and the new one
  ///     is verified, trusted and free, the new one also becomes the account's address.
  package func complete(
    _ transfer: SubjectTransfer, to newSubject: Subject, email: AssertedEmail?,
    in project: ProjectID, now: Date
  ) throws -> SubjectTransferOutcome {
    var transfer = transfer
    transfer.newSubject = newSubject
    transfer.completedAt = now
    guard
      let before = try account(
        provider: transfer.provider, subject: transfer.oldSubject, in: project),
      let index = before.identities.firstIndex(where: { $0.provider == transfer.provider })
    else {
      // The user's subjects are erased with the account or the identity.
      try deleteSubjectTransfers(
        of: transfer.provider, subject: transfer.oldSubject, in: project)
      return .gone
    }
    var account = before
    let owner = try self.account(
      provider: transfer.provider, subject: newSubject, in: project)
    guard owner == nil || owner?.uid == account.uid else { return .taken }
    let identity = account.identities[index]
    try deleteProviderTokens(of: account.uid, provider: transfer.provider, in: project)
    var moved = LinkedIdentity(identity, subject: newSubject)
    if let email {
      moved.email = email.address
      if email.isVerifiedAndTrusted, identity.email != nil, account.email == identity.email,
        email.address != identity.email,
        try self.account(email: email.address, in: project) == nil
      {
        account.replaceEmail(by: email.address)
        account.verifyEmail(now: now)
      }
    }
    account.identities[index] = moved
    try save(account, replacing: before, in: project, now: now)
    try save(transfer, in: project)
    return .moved
  }
}

extension LinkedIdentity {
  /// The same identity under another subject.
  fileprivate init(_ other: LinkedIdentity, subject: Subject) {
    self.init(provider: other.provider, subject: subject, linkedAt: other.linkedAt)
    issuer = other.issuer
    unconfirmedSince = other.unconfirmedSince
    email = other.email
    displayName = other.displayName
    photoURL = other.photoURL
    screenName = other.screenName
    isPrivateEmail = other.isPrivateEmail
    realUserStatus = other.realUserStatus
    realUserStatusFromApp = other.realUserStatusFromApp
    revocationRequestedAt = other.revocationRequestedAt
    isForwardingDisabled = other.isForwardingDisabled
    forwardingChangedAt = other.forwardingChangedAt
    consentRevokedAt = other.consentRevokedAt
  }
}
