package import GatehouseProtocol

package import struct Foundation.Date

extension AccountsService {
  /// Erases at most `limit` accounts whose grace period is over. If one can't be erased, the others
  /// are erased nevertheless.
  ///
  /// - Parameters:
  ///   - sendsMail: Whether the server sends emails. The users then get one about the deletion.
  ///   - report: Called for each account that couldn't be erased.
  /// - Returns: How many were erased, in all projects.
  package static func eraseScheduledAccounts(
    in store: any Store, limit: Int, sendsMail: Bool = false, now: Date,
    report: (ProjectID, any Error) -> Void = { _, _ in }
  ) async throws -> Int {
    let due = try await store.read {
      try $0.accountsScheduledForDeletion(by: now, limit: limit)
    }
    let notices = AccountNotices(sendsMail: sendsMail)
    var erased = 0
    for (projectID, uid) in due {
      do {
        erased += try await store.write { transaction in
          // The user may have signed in since, which cancels the deletion.
          guard let project = try transaction.project(projectID),
            let account = try transaction.account(uid, in: projectID),
            let time = account.deletionScheduledFor, time <= now
          else { return 0 }
          try notices.add(
            .accountDeleted, to: account, language: nil, in: project, transaction, now: now)
          try transaction.erase(account, in: project, now: now)
          return 1
        }
      } catch {
        report(projectID, error)
      }
    }
    return erased
  }

  /// Cancels a scheduled deletion as an administrator. The user's sessions stay ended.
  ///
  /// - Returns: False if none was scheduled.
  package func keepScheduledAccount(
    _ uid: UID, in project: Project, now: Date
  ) async throws -> Bool {
    try await store.write { transaction in
      guard try transaction.keepScheduledAccount(uid, in: project.id) else { return false }
      try transaction.record(.deletionCancelled, of: uid, in: project.id, now: now)
      return true
    }
  }
}

extension Account {
  /// Rejects a token that was issued before the account's deletion was scheduled: a sign-in with such
  /// a token must not cancel the deletion.
  ///
  /// - Parameter issuedAt: Nil for a token without a time of issue, such as an access token. It is
  ///   accepted.
  /// - Throws: ``AccountsError/tokenExpired``.
  func refuseProof(issuedAt: Date?) throws(AccountsError) {
    guard deletionScheduledFor != nil, let issuedAt, issuedAt < validSince else { return }
    throw .tokenExpired
  }
}
