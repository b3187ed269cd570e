package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Sets a new password with a code that was sent to the account's address.
  ///
  /// Every session ends. A user who presents the code can read the address's mail, so the address
  /// becomes verified. If it wasn't verified before, everything that another user may have left is
  /// removed, except the name and photo. Unconfirmed credentials are removed in any case.
  ///
  /// If the address was never verified, ``TakeOverDecision`` decides whether the user gets this account
  /// or a new one. An account whose deletion is scheduled is erased first. If a recovery code can restore
  /// an earlier address of the account, the account stays with the user of that address. If the account has
  /// signed in with a custom token, it stays with the user whom the back end names.
  ///
  /// - Parameter language: The language of the notice about the new password, as a BCP 47 tag.
  /// - Returns: The used code.
  /// - Throws: ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong`` and
  ///   ``AccountsError/passwordRequirements(_:)``, after which the code can still be used;
  ///   ``AccountsError/invalidActionCode``, also for a code of another purpose;
  ///   ``AccountsError/userNotFound`` if the account gave up the address to which the code was sent;
  ///   ``AccountsError/expiredActionCode``, ``AccountsError/userDisabled``, which uses the code up,
  ///   ``AccountsError/passwordLoginDisabled``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/overloaded``; if a new account is needed,
  ///   ``AccountsError/adminOnlyOperation`` if the project refuses sign-up, and
  ///   ``AccountsError/blockedByFunction(_:)``, after which the code can still be used.
  package func resetPassword(
    withCode text: String, to password: Secret<String>, from client: ClientAddress,
    language: String? = nil, in project: Project, now: Date
  ) async throws -> ActionCode {
    guard project.policies.allowsPasswords else { throw AccountsError.passwordLoginDisabled }
    // Checks that the code is valid before it hashes a password, which is costly.
    let digest = try await using(code: text, from: client, in: project, now: now) { digest in
      do {
        _ = try await store.read { try $0.passwordReset(digest, in: project.id, now: now) }
      } catch AccountsError.userDisabled {
        try await store.write { transaction in
          let code = try transaction.liveActionCode(digest, in: project.id, now: now)
          try transaction.useUp(code, in: project.id)
        }
        throw AccountsError.userDisabled
      }
      return digest
    }
    try password.checkAsNewPassword(under: project.policies)
    let hash = try await hashingShares.run(for: client, in: project.id) {
      try await passwords.hash(password)
    }
    let notices = notices
    let context = BlockingContext(
      method: ProviderID.password.text, client: client, language: language)
    return try await write(asking: context, in: project, now: now) { transaction, gate in
      let reset = try transaction.passwordReset(digest, in: project.id, now: now)
      var before: Account? = reset.account
      var account = reset.account
      var takeOver: TakeOverDecision?
      if case .takeOver = MailboxDecision.decide(owner: account) {
        takeOver = try TakeOverDecision.decide(
          account, isRecoverable: try transaction.isRecoverable(account, in: project.id, now: now))
      }
      switch takeOver {
      case .erase, .release:
        if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
        if takeOver == .erase {
          try transaction.erase(account, in: project, now: now)
        } else {
          try transaction.releaseEmail(of: account, in: project.id, now: now)
        }
        before = nil
        account = Account(uid: gate.newUID, createdAt: now)
        account.email = reset.code.email
      case .clear:
        // Ends this code too. The name and photo stay: most users who reset the password of such an
        // account created it themselves.
        try transaction.takeOver(&account, keepingProfile: true, in: project.id, now: now)
      case nil:
        // Ends this code too.
        try transaction.revokeEverything(of: &account, in: project.id, now: now)
        account = account.withoutUnconfirmedCredentials
        try transaction.forgetTokensOfRemovedIdentities(of: account, in: project.id)
      }
      account.verifyEmail(now: now)
      account.password = hash
      account.passwordUpdatedAt = now
      if before == nil { try gate.admitNew(&account, now: now) }
      try transaction.save(account, replacing: before, in: project.id, now: now)
      try notices.add(
        .passwordChanged, to: account, language: language, in: project, transaction, now: now)
      return reset.code
    }
  }
}

extension Transaction {
  fileprivate func passwordReset(
    _ digest: [UInt8], in project: ProjectID, now: Date
  ) throws -> (code: ActionCode, account: Account) {
    let code = try liveActionCode(digest, in: project, now: now)
    guard code.purpose == .passwordReset else { throw AccountsError.invalidActionCode }
    return (code, try account(of: code, in: project))
  }
}
