package import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Uses a code that verifies, changes or recovers an account's address.
  ///
  /// A change or a recovery of the address ends every session. If the former address was verified, a
  /// change sends a recovery code to it. If the new address is in use or the account is disabled, the
  /// code is rejected and, unless it is a recovery code, used up. A recovery takes the address back from
  /// another account that never verified it.
  ///
  /// - Parameter consent: What the user agreed to; needed for a new address if the project's policy
  ///   requires consent.
  /// - Throws: ``AccountsError/invalidActionCode``, also for a code of another purpose;
  ///   ``AccountsError/expiredActionCode``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/userDisabled``, ``AccountsError/consentRequired(_:)``,
  ///   ``AccountsError/emailNotFound`` for the verification of an address that the account gave up, and
  ///   ``AccountsError/emailExists`` if another account has the address by now; for a recovery code only if
  ///   the other account has verified it.
  package func applyActionCode(
    _ text: String, consent: GivenConsent? = nil, from client: ClientAddress,
    link: CodeLink, in project: Project, now: Date
  ) async throws -> (account: Account, code: ActionCode) {
    let outcome = try await using(code: text, from: client, in: project, now: now) { digest in
      try await apply(digest, consent: consent, link: link, in: project, now: now)
    }
    let (account, code, recovery) = try outcome.get()
    await actionCodes.show(recovery)
    return (account, code)
  }

  private typealias Applied = (account: Account, code: ActionCode, recovery: IssuedActionCode?)

  private func apply(
    _ digest: [UInt8], consent: GivenConsent?, link: CodeLink, in project: Project, now: Date
  ) async throws -> Result<Applied, AccountsError> {
    let actionCodes = actionCodes
    return try await store.write { transaction in
      let code = try transaction.liveActionCode(digest, in: project.id, now: now)
      if let refusal = try transaction.refusal(of: code, in: project.id) {
        // Returned, not thrown: an error would undo that the code is used up.
        try transaction.useUp(code, in: project.id)
        return .failure(refusal)
      }
      let before = try transaction.account(of: code, in: project.id)
      var account = before
      var recovery: IssuedActionCode?
      switch code.purpose {
      case .emailVerification:
        account.verifyEmail(now: now)
        try transaction.deleteActionCodes(
          of: account.uid, for: .emailVerification, since: nil, in: project.id)
      case .emailChange:
        recovery = try transaction.issueRecovery(
          of: account, replacedBy: code.newEmail, by: actionCodes, link: link, in: project.id,
          now: now)
        try transaction.changeEmail(of: &account, with: code, in: project.id, now: now)
        try transaction.keepConsent(consent, from: before, to: account, in: project, now: now)
      case .emailRecovery:
        try transaction.recoverEmail(
          of: &account, with: code, recentSignInSeconds: project.policies.recentSignInSeconds,
          in: project.id, now: now)
      case .passwordReset, .emailSignIn: throw AccountsError.invalidActionCode
      }
      try transaction.save(account, replacing: before, in: project.id, now: now)
      return .success((account, code, recovery))
    }
  }
}

extension Transaction {
  /// Why a code that verifies or changes an address is rejected and used up; nil if it isn't, or if the
  /// code has another purpose.
  fileprivate func refusal(of code: ActionCode, in project: ProjectID) throws -> AccountsError? {
    guard code.purpose == .emailVerification || code.purpose == .emailChange,
      let uid = code.uid, let account = try account(uid, in: project), account.email == code.email
    else { return nil }
    if account.isDisabled { return .userDisabled }
    guard let newEmail = code.newEmail,
      try self.account(email: newEmail, in: project) != nil
    else { return nil }
    return .emailExists
  }

  fileprivate func changeEmail(
    of account: inout Account, with code: ActionCode, in project: ProjectID, now: Date
  ) throws {
    guard let newEmail = code.newEmail else { throw AccountsError.invalidActionCode }
    if try self.account(email: newEmail, in: project) != nil { throw AccountsError.emailExists }
    try releaseCodesOfFormerAddress(of: account.uid, in: project)
    // Ends this code too.
    try revokeEverything(of: &account, in: project, now: now)
    account.replaceEmail(by: newEmail)
    account.verifyEmail(now: now)
  }
}
