package import Foundation
package import GatehouseModel

extension AccountsService {
  /// What a code is for, without using it.
  ///
  /// - Throws: ``AccountsError/invalidActionCode``, ``AccountsError/expiredActionCode``,
  ///   ``AccountsError/tooManyAttempts``.
  package func actionCode(
    _ text: String, from client: ClientAddress, in project: Project, now: Date
  ) async throws -> ActionCode {
    try await countingGuesses(from: client, in: project, now: now) {
      try await store.read { try $0.liveActionCode(text, in: project.id, now: now) }
    }
  }

  /// The codes that can be listed, oldest first: those that were made in `--dev`.
  ///
  /// - Parameter limit: Of those that are looked at.
  package func listedActionCodes(
    limit: Int, in project: Project, now: Date
  ) async throws -> [ActionCode] {
    try await store.read { try $0.actionCodes(limit: limit, in: project.id) }
      .filter { $0.link != nil && now < $0.expiresAt }
  }
}

extension StoreTransaction {
  /// - Throws: ``AccountsError/invalidActionCode`` for one that was never made, was used, or ended;
  ///   ``AccountsError/expiredActionCode``.
  func liveActionCode(_ text: String, in project: ProjectID, now: Date) throws -> ActionCode {
    guard let digest = ActionCode.digest(of: text),
      let code = try actionCode(digest: digest, in: project), !code.isVoid
    else { throw AccountsError.invalidActionCode }
    if now >= code.expiresAt { throw AccountsError.expiredActionCode }
    return code
  }

  /// The account that the code was made for, if it is still the one that the code was sent about.
  ///
  /// - Throws: ``AccountsError/invalidActionCode``, ``AccountsError/userDisabled``.
  func account(of code: ActionCode, in project: ProjectID) throws -> Account {
    guard let uid = code.uid, let account = try account(uid, in: project),
      code.purpose == .emailRecovery || account.email == code.email
    else { throw AccountsError.invalidActionCode }
    if account.isDisabled { throw AccountsError.userDisabled }
    return account
  }
}
