package import Foundation

extension Session {
  /// Whether the session's refresh tokens are still valid for the account. They aren't if the session
  /// ended or wasn't used for a year, if the account's tokens were revoked, or if the account was
  /// deleted and another one was created with its id.
  func isAlive(for account: Account, now: Date) -> Bool {
    ended == nil && createdAt >= account.createdAt
      && createdAt.wholeSeconds >= account.validSince
      && now.timeIntervalSince(lastUsedAt) < Self.idleSeconds
  }

  /// Whether a server can have made this session's refresh token with this number under a master key that
  /// was used until `limit`. Anyone who has such a former key can make one, so it counts only for a session
  /// that began before `limit`, and only until the first refresh after it; then for the grace period,
  /// because the client may not have received the response.
  package func canHaveToken(
    _ number: UInt32, ofKeyUsedUntil limit: Date, graceSeconds: TimeInterval, now: Date
  ) -> Bool {
    guard createdAt <= limit else { return false }
    let since = rotatedAt.prefix { $0 > limit }
    guard let first = since.last else { return true }
    return Int(number) + since.count <= Int(rotation)
      && now.timeIntervalSince(first) < graceSeconds
  }

  /// What a genuine refresh token with this rotation number means for the session.
  package enum RefreshDecision: Hashable, Sendable {
    /// It is the live token, which is rotated now.
    case rotate
    /// A token whose successor hasn't been used yet, or was first used within the grace period. The
    /// client may not have received the successor, or another process of the client may have used
    /// the token. The client gets the live token.
    ///
    /// Also the live token after ``Session/keptRotations`` rotations within the grace period. One more
    /// rotation would drop a stored time that is still needed: a process whose request is slower than
    /// the refreshes of another process would then seem to reuse its token.
    case repeatCurrent
    /// A token whose successor was first used longer ago than the grace period: two parties have the
    /// session, and one of them stole it.
    case reuse
  }

  /// Decides without changing anything.
  ///
  /// A number above the live one is genuine too: the database was restored from a backup that is
  /// older than the token. The bearer of such a token received the latest response, so it counts as
  /// the live token.
  package func decision(
    on number: UInt32, graceSeconds: TimeInterval, now: Date
  ) -> RefreshDecision {
    if number > rotation { return .rotate }
    if number == rotation {
      guard rotatedAt.count == Self.keptRotations, let oldest = rotatedAt.last else {
        return .rotate
      }
      return now.timeIntervalSince(oldest) < graceSeconds ? .repeatCurrent : .rotate
    }
    // `rotatedAt[0]` is when `rotation - 1` was rotated out, and so on.
    let age = Int(rotation - number) - 1
    // The successor is the live token. It hasn't been used, so the response with it may have been
    // lost, however long ago.
    guard age > 0 else { return .repeatCurrent }
    // The successor was first used when it was itself rotated out, one rotation later.
    guard age - 1 < rotatedAt.count else { return .reuse }
    return now.timeIntervalSince(rotatedAt[age - 1]) < graceSeconds ? .repeatCurrent : .reuse
  }

  /// Moves to the next refresh token after `number`.
  package mutating func rotate(from number: UInt32, now: Date) {
    rotation = max(rotation, number) &+ 1
    rotatedAt = Array(([now] + rotatedAt).prefix(Self.keptRotations))
    lastUsedAt = now
  }
}
