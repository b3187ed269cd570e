package import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Returns the code's record, which says what the code is for. Doesn't use the code.
  ///
  /// - Throws: ``AccountsError/invalidActionCode``, ``AccountsError/expiredActionCode``,
  ///   ``AccountsError/tooManyAttempts``.
  package func actionCode(
    _ text: String, from client: ClientAddress, in project: Project, now: Date
  ) async throws -> ActionCode {
    try await using(code: text, from: client, in: project, now: now) { digest in
      try await store.read { try $0.liveActionCode(digest, in: project.id, now: now) }
    }
  }

  /// The codes that can be listed, oldest first: those created with `--dev` that can still be used.
  ///
  /// - Parameter limit: How many stored codes are read.
  package func listedActionCodes(
    limit: Int, in project: Project, now: Date
  ) async throws -> [ActionCode] {
    try await store.read { try $0.actionCodes(limit: limit, in: project.id) }
      .filter { $0.link != nil && now < $0.expiresAt && !$0.isReleased }
  }
}

extension Transaction {
  /// - Throws: ``AccountsError/invalidActionCode`` for a code that does not exist, was used, or was
  ///   ended; ``AccountsError/expiredActionCode``.
  func liveActionCode(_ digest: [UInt8], in project: ProjectID, now: Date) throws -> ActionCode {
    guard let code = try actionCode(digest: digest, in: project), !code.isVoid else {
      throw AccountsError.invalidActionCode
    }
    if now >= code.expiresAt { throw AccountsError.expiredActionCode }
    return code
  }

  /// The account for which the code was created.
  ///
  /// - Throws: ``AccountsError/invalidActionCode`` if the account doesn't exist;
  ///   ``AccountsError/userDisabled``. If the account gave up the code's address:
  ///   ``AccountsError/userNotFound`` for a password reset, ``AccountsError/emailNotFound`` for a
  ///   verification, as in Google's service; otherwise ``AccountsError/invalidActionCode``, except for a
  ///   recovery code.
  func account(of code: ActionCode, in project: ProjectID) throws -> Account {
    guard let uid = code.uid else {
      switch code.purpose {
      case .passwordReset: throw AccountsError.userNotFound
      case .emailVerification: throw AccountsError.emailNotFound
      case .emailSignIn, .emailChange, .emailRecovery: throw AccountsError.invalidActionCode
      }
    }
    guard let account = try account(uid, in: project),
      code.purpose == .emailRecovery || account.email == code.email
    else { throw AccountsError.invalidActionCode }
    if account.isDisabled { throw AccountsError.userDisabled }
    return account
  }
}
