package import GatehouseModel

package import struct Foundation.Date

extension AccountsService {
  /// Erases at most `limit` accounts whose grace period is over. One that can't be erased holds up no
  /// other.
  ///
  /// - Parameter report: Called for each account that couldn't be erased.
  /// - Returns: How many were erased, in all projects.
  package static func eraseScheduledAccounts(
    in store: any Store, limit: Int, now: Date,
    report: (ProjectID, any Error) -> Void = { _, _ in }
  ) async throws -> Int {
    let due = try await store.read {
      try $0.accountsScheduledForDeletion(by: now, limit: limit)
    }
    var erased = 0
    for (projectID, uid) in due {
      do {
        erased += try await store.write { transaction in
          // The user may have come back since.
          guard let project = try transaction.project(projectID),
            let account = try transaction.account(uid, in: projectID),
            let time = account.deletionScheduledFor, time <= now
          else { return 0 }
          try transaction.erase(account, in: project, now: now)
          return 1
        }
      } catch {
        report(projectID, error)
      }
    }
    return erased
  }

  /// Withdraws a scheduled deletion as an administrator. The user's sessions stay ended.
  ///
  /// - Returns: False if none was scheduled.
  package func keepScheduledAccount(_ uid: UID, in project: Project) async throws -> Bool {
    try await store.write { try $0.keepScheduledAccount(uid, in: project.id) }
  }
}

extension Account {
  /// A sign-in withdraws a scheduled deletion, but not with what was issued before it.
  ///
  /// - Parameter issuedAt: Nil for what has no such time, such as an access token.
  /// - Throws: ``AccountsError/tokenExpired``.
  func refuseProof(issuedAt: Date?) throws(AccountsError) {
    guard deletionScheduledFor != nil, let issuedAt, issuedAt < validSince else { return }
    throw .tokenExpired
  }
}
