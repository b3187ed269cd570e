import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Refuses the account's tokens from before `validSince`, a whole second of the administrator's
  /// choice.
  ///
  /// Sessions that began in that very second end too: the administrator's "now" means everything
  /// that exists now.
  func revoke(
    _ account: inout Account, before validSince: Date, in project: ProjectID, now: Date
  ) throws {
    account.validSince = validSince.wholeSeconds
    try detachEverything(of: account, in: project, now: now)
    // What a session that ends here asked for must not change the account afterwards.
    try deleteActionCodes(of: account.uid, for: .emailChange, since: nil, in: project)
    try endSessions(
      of: account.uid, in: project,
      startedAtOrBefore: validSince.wholeSeconds.addingTimeInterval(0.999),
      ending: Session.Ending(at: now, reason: .revoked))
  }
}
