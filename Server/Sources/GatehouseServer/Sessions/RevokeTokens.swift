package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Revokes the tokens of accounts that are signed in, as an operator does when a key of the server is stolen. A few
  /// accounts in each transaction: a project may have millions.
  ///
  /// - Parameters:
  ///   - last: The account after which it goes on; nil to begin.
  ///   - limit: How many accounts are looked at.
  ///   - start: Sessions that begin later continue.
  /// - Returns: The number of accounts whose tokens are revoked, and the account after which it goes on; nil at the end.
  package func revokeSome(
    after last: UID? = nil, limit: Int, startedBefore start: Date, in project: Project, now: Date
  ) async throws -> (revoked: Int, next: UID?) {
    var revoked = 0
    var last = last
    var left = limit
    while left > 0 {
      let size = min(left, Self.accountsAtOnce)
      let (count, next) = try await store.write { [last] transaction in
        let accounts = try transaction.accounts(after: last, limit: size, in: project.id)
        var count = 0
        for before in accounts {
          guard try !transaction.liveSessions(of: before.uid, limit: 1, in: project.id).isEmpty
          else { continue }
          var account = before
          try transaction.revoke(&account, before: start, in: project.id, now: now)
          try transaction.save(account, replacing: before, in: project.id, now: now)
          count += 1
        }
        return (count, accounts.count < size ? nil : accounts.last?.uid)
      }
      revoked += count
      guard let next else { return (revoked, nil) }
      last = next
      left -= size
    }
    return (revoked, last)
  }

  private static let accountsAtOnce = 100
}

extension Transaction {
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
    account.revokedAt = now.wholeMilliseconds
    try detachEverything(of: account, in: project, now: now)
    try endActionCodes(of: account.uid, in: project)
    try endSessions(
      of: account.uid, in: project,
      startedAtOrBefore: validSince.wholeSeconds.addingTimeInterval(0.999),
      ending: Session.Ending(at: now, reason: .revoked))
    try record(.tokensRevoked, of: account.uid, in: project, now: now)
  }
}
