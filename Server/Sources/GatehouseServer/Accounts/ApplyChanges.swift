import Foundation
import GatehouseProtocol

extension Transaction {
  /// Applies the changes that both users and administrators may make.
  ///
  /// - Returns: Whether the account's tokens must be revoked: true if the password is set, or if the
  ///   address is changed or removed.
  /// - Throws: ``AccountsError/emailExists``, and ``AccountsError/lastCredential`` if no credential
  ///   would be left and the project forbids that.
  func apply(
    _ changes: ProfileChanges, hash: PasswordHash?, to account: inout Account,
    in project: Project, now: Date
  ) throws -> Bool {
    let hadCredential = account.hasCredential
    account.displayName = changes.displayName.applied(to: account.displayName)
    account.photoURL = changes.photoURL.applied(to: account.photoURL)
    if !changes.displayName.isKeep { account.assignedFields.remove(.displayName) }
    if !changes.photoURL.isKeep { account.assignedFields.remove(.photoURL) }
    let email = changes.email.applied(to: account.email)
    let isNewEmail = email != account.email
    if isNewEmail {
      if let email, try self.account(email: email, in: project.id) != nil {
        throw AccountsError.emailExists
      }
      account.replaceEmail(by: email)
    }
    if let hash {
      account.password = hash
      account.passwordUpdatedAt = now
    }
    if case .remove = changes.password { account.removePassword() }
    try unlink(changes.unlinkedProviders, from: &account, in: project, now: now)
    _ = try removePasskeys(changes.removedPasskeys, from: &account, in: project.id)
    if hadCredential && !account.hasCredential && !project.policies.allowsUnlinkingLast {
      throw AccountsError.lastCredential
    }
    return isNewEmail || hash != nil
  }

  /// Unlinks the providers' identities. Ignores providers that aren't linked.
  private func unlink(
    _ providers: [ProviderID], from account: inout Account, in project: Project, now: Date
  ) throws {
    for provider in providers {
      switch provider {
      case .password: account.removePassword()
      case .phone:
        try detachPhoneNumber(of: account, in: project.id, now: now)
        account.removePhoneNumber()
      default:
        guard let identity = account.identity(of: provider) else { continue }
        try detach(identity, in: project.id, now: now)
        try revokeAtProviders(of: account, only: provider, in: project, now: now)
        try deleteArrivedName(of: provider, subject: identity.subject, in: project.id)
        try deleteSubjectTransfers(of: provider, subject: identity.subject, in: project.id)
        account.remove(identity)
      }
    }
  }

  /// Unlinks the identities and the number that were linked without a recent sign-in and never confirmed.
  func unlinkUnconfirmed(
    from account: inout Account, except kept: ProviderID? = nil, in project: Project, now: Date
  ) throws {
    let identities = account.identities.filter { $0.unconfirmedSince != nil }.map(\.provider)
    let number: [ProviderID] = account.phoneUnconfirmedSince == nil ? [] : [.phone]
    if kept != .passkey { account.removeUnconfirmedPasskeys() }
    try unlink(
      (identities + number).filter { $0 != kept }, from: &account, in: project, now: now)
  }
}
