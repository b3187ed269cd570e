package import GatehouseModel

package import struct Foundation.Date

extension AccountsService {
  /// Erases at most `limit` accounts whose grace period is over.
  ///
  /// - Returns: How many were erased, in all projects.
  package static func eraseScheduledAccounts(
    in store: any Store, limit: Int, now: Date
  ) async throws -> Int {
    let due = try await store.read {
      try $0.accountsScheduledForDeletion(by: now, limit: limit)
    }
    var erased = 0
    for (projectID, uid) in due {
      erased += try await store.write { transaction in
        // The user may have come back since.
        guard let project = try transaction.project(projectID),
          let account = try transaction.account(uid, in: projectID),
          let time = account.deletionScheduledFor, time <= now
        else { return 0 }
        try transaction.erase(account, in: project, now: now)
        return 1
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
