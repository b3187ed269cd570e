import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Gives the account to the user who just verified its address. Everything that an earlier user,
  /// who never verified it, may have left is removed, with sessions and codes.
  ///
  /// The account is changed, not saved.
  func takeOver(_ account: inout Account, in project: ProjectID, now: Date) throws {
    try revokeEverything(of: &account, in: project, now: now)
    try endEveryActionCode(of: account.uid, in: project)
    // The earlier user gave these consents.
    try deleteConsents(of: account.uid, in: project)
    account.clearForTakeOver()
    try forgetTokensOfRemovedIdentities(of: account, in: project)
    account.verifyEmail(now: now)
  }
}
