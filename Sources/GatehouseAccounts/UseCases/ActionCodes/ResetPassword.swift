package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Sets a new password by a code that was sent to the account's address.
  ///
  /// Every session ends. Who presents the code reads the address's mail, so the address is verified
  /// from now on; if it wasn't before, the ways in that others may have left end too. If an earlier,
  /// verified address can still come back to the account, it stays with that address's holder, and
  /// the new one gets an account of its own; see ``StoreTransaction/releaseEmail(of:in:now:)``.
  ///
  /// - Returns: The used code.
  /// - Throws: ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong`` and
  ///   ``AccountsError/passwordRequirements(_:)``, which leave the code good;
  ///   ``AccountsError/invalidActionCode``, also for a code of another purpose;
  ///   ``AccountsError/expiredActionCode``, ``AccountsError/userDisabled``, which uses the code up,
  ///   ``AccountsError/passwordLoginDisabled``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/overloaded``.
  package func resetPassword(
    withCode text: String, to password: Secret<String>, from client: ClientAddress,
    in project: Project, now: Date
  ) async throws -> ActionCode {
    guard project.policies.allowsPasswords else { throw AccountsError.passwordLoginDisabled }
    // Before the cost of a hash: is the code good?
    try await countingGuesses(from: client, in: project, now: now) {
      do {
        _ = try await store.read { try $0.passwordReset(text, in: project.id, now: now) }
      } catch AccountsError.userDisabled {
        try await store.write { transaction in
          let code = try transaction.liveActionCode(text, in: project.id, now: now)
          try transaction.useUp(code, in: project.id)
        }
        throw AccountsError.userDisabled
      }
    }
    try password.checkAsNewPassword(under: project.policies)
    let hash = try await hashingShares.run(for: client) { try await passwords.hash(password) }
    return try await store.write { transaction in
      let reset = try transaction.passwordReset(text, in: project.id, now: now)
      var account = reset.account
      if try transaction.releaseEmail(of: account, in: project.id, now: now) {
        if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
        account = Account(uid: .random(), createdAt: now)
        account.email = reset.code.email
      } else {
        // Ends this code too.
        try transaction.revokeEverything(of: &account, in: project.id, now: now)
        if case .takeOver = MailboxDecision.decide(owner: account) {
          account.clearWaysIn()
          try transaction.endEveryActionCode(of: account.uid, in: project.id)
        }
        // Linked by a session of long ago, and never confirmed.
        account.identities.removeAll { $0.unconfirmedSince != nil }
        if account.phoneUnconfirmedSince != nil { account.removePhoneNumber() }
      }
      account.verifyEmail(now: now)
      account.password = hash
      account.passwordUpdatedAt = now
      try transaction.save(account, in: project.id)
      return reset.code
    }
  }
}

extension StoreTransaction {
  fileprivate func passwordReset(
    _ text: String, in project: ProjectID, now: Date
  ) throws -> (code: ActionCode, account: Account) {
    let code = try liveActionCode(text, in: project, now: now)
    guard code.purpose == .passwordReset else { throw AccountsError.invalidActionCode }
    return (code, try account(of: code, in: project))
  }
}
