import Foundation
import GatehouseModel

extension StoreTransaction {
  /// Rejects the account's tokens that were issued before `validSince`, a whole second that the
  /// administrator chose.
  ///
  /// Sessions that began within that second end too: an administrator who revokes tokens now means all
  /// that exist now.
  ///
  /// The account's codes end too, as after a user's own revocation, and whatever `validSince` is: an
  /// attacker who could read the user's mail for a moment may hold an unused code that sets a password or
  /// signs in. Recovery codes stay.
  func revoke(
    _ account: inout Account, before validSince: Date, in project: ProjectID, now: Date
  ) throws {
    // An earlier time, perhaps of a back end whose clock is slow, makes no revoked token valid again. A time in
    // the future, perhaps of one whose clock was fast, can be corrected: nobody has tokens from after now.
    account.validSince = max(min(account.validSince, now.wholeSeconds), validSince.wholeSeconds)
    try detachEverything(of: account, in: project, now: now)
    try endActionCodes(of: account.uid, in: project)
    try endSessions(
      of: account.uid, in: project,
      startedAtOrBefore: validSince.wholeSeconds.addingTimeInterval(0.999),
      ending: Session.Ending(at: now, reason: .revoked))
    try record(.tokensRevoked, of: account.uid, in: project, now: now)
  }
}
