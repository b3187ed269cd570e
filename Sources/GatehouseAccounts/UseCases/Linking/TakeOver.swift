import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Gives the account to the user who just verified its address. Removes what an earlier user, who
  /// never verified the address, may have left: credentials, profile, consents, sessions and codes.
  /// See ``Account/clearForTakeOver()``.
  ///
  /// The account is changed, not saved.
  func takeOver(_ account: inout Account, in project: ProjectID, now: Date) throws {
    try revokeEverything(of: &account, in: project, now: now)
    try endEveryActionCode(of: account.uid, in: project)
    // The consents are those of the earlier user.
    try deleteConsents(of: account.uid, in: project)
    account.clearForTakeOver()
    try forgetTokensOfRemovedIdentities(of: account, in: project)
    account.verifyEmail(now: now)
  }
}
