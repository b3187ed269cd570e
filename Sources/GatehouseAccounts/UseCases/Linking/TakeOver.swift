import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Hands the account to who just proved its address: everything that somebody who never proved it
  /// may have left behind ends, sessions and codes with it.
  ///
  /// The account is changed, not saved.
  func takeOver(_ account: inout Account, in project: ProjectID, now: Date) throws {
    try revokeEverything(of: &account, in: project, now: now)
    try endEveryActionCode(of: account.uid, in: project)
    // What somebody else agreed to.
    try deleteConsents(of: account.uid, in: project)
    account.clearForTakeOver()
    account.verifyEmail(now: now)
  }
}
