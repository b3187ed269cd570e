import Foundation
import GatehouseProtocol

extension Transaction {
  /// Gives the account to the user who just verified its address. Removes what an earlier user, who
  /// never verified the address, may have left: credentials, second factors, profile, consents, sessions,
  /// codes and kept tokens. See ``Account/clearForTakeOver(keepingProfile:)``.
  ///
  /// Every takeover calls this function. The account is changed, not saved.
  func takeOver(
    _ account: inout Account, keepingProfile keepsProfile: Bool = false, in project: ProjectID,
    now: Date
  ) throws {
    try revokeEverything(of: &account, details: Event.takeover, in: project, now: now)
    try endEveryActionCode(of: account.uid, in: project)
    // The consents are those of the earlier user.
    try deleteConsents(of: account.uid, in: project)
    account.clearForTakeOver(keepingProfile: keepsProfile)
    try forgetTokensOfRemovedIdentities(of: account, in: project)
    account.verifyEmail(now: now)
  }
}
