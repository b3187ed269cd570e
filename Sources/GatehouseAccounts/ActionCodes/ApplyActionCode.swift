package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Uses a code that proves, changes or takes back an account's address.
  ///
  /// A changed address ends every session; its former one, if it was proven, is sent a code that
  /// takes it back.
  ///
  /// - Parameter consent: What the person agreed to; asked for by a new address.
  /// - Throws: ``AccountsError/invalidActionCode``, also for a code of another purpose;
  ///   ``AccountsError/expiredActionCode``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/userDisabled``, ``AccountsError/consentRequired(_:)``, and
  ///   ``AccountsError/emailExists`` if the address is another account's meanwhile.
  package func applyActionCode(
    _ text: String, consent: GivenConsent? = nil, from client: ClientAddress,
    link: @escaping CodeLink, in project: Project, now: Date
  ) async throws -> (account: Account, code: ActionCode) {
    let (account, code, recovery) = try await countingGuesses(
      from: client, in: project, now: now
    ) {
      try await apply(text, consent: consent, link: link, in: project, now: now)
    }
    await actionCodes.deliver(recovery)
    return (account, code)
  }

  private func apply(
    _ text: String, consent: GivenConsent?, link: @escaping CodeLink, in project: Project, now: Date
  ) async throws -> (Account, ActionCode, recovery: IssuedActionCode?) {
    let actionCodes = actionCodes
    return try await store.write { transaction in
      let code = try transaction.liveActionCode(text, in: project.id, now: now)
      var account = try transaction.account(of: code, in: project.id)
      var recovery: IssuedActionCode?
      switch code.purpose {
      case .emailVerification:
        account.verifyEmail(now: now)
        try transaction.deleteActionCodes(
          of: account.uid, for: .emailVerification, since: nil, in: project.id)
      case .emailChange:
        recovery = try transaction.issueRecovery(
          of: account, by: actionCodes, link: link, in: project.id, now: now)
        let before = account
        try transaction.changeEmail(of: &account, with: code, in: project.id, now: now)
        try transaction.keepConsent(consent, from: before, to: account, in: project, now: now)
      case .emailRecovery:
        try transaction.recoverEmail(of: &account, with: code, in: project.id, now: now)
      case .passwordReset, .emailSignIn: throw AccountsError.invalidActionCode
      }
      try transaction.save(account, in: project.id)
      return (account, code, recovery)
    }
  }
}

extension StoreTransaction {
  fileprivate func changeEmail(
    of account: inout Account, with code: ActionCode, in project: ProjectID, now: Date
  ) throws {
    guard let newEmail = code.newEmail else { throw AccountsError.invalidActionCode }
    if try self.account(email: newEmail, in: project) != nil { throw AccountsError.emailExists }
    // Ends this code too.
    try revokeEverything(of: &account, in: project, now: now)
    account.email = newEmail
    account.verifyEmail(now: now)
  }
}
