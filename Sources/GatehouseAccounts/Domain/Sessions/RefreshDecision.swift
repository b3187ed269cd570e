package import Foundation

extension Session {
  /// Whether the account accepts tokens of this session. The account may have been created again
  /// under the same id, or its tokens may have been revoked.
  func isAlive(for account: Account, now: Date) -> Bool {
    ended == nil && createdAt >= account.createdAt
      && createdAt.wholeSeconds >= account.validSince
      && now.timeIntervalSince(lastUsedAt) < Self.idleSeconds
  }

  /// What a genuine refresh token with this rotation number means for the session.
  package enum RefreshDecision: Hashable, Sendable {
    /// The live token: it is rotated.
    case rotate
    /// A token whose successor hasn't been used yet, or was first used within the grace period. The
    /// client may never have received the successor, or it may share the session with another
    /// process: both get the live token.
    case repeatCurrent
    /// A token whose successor was first used before the grace period: two parties have the
    /// session, and one of them stole it.
    case reuse
  }

  /// Decides without changing anything.
  ///
  /// A number above the live one is genuine too: the database was restored from a backup that is
  /// older than the token. Its bearer received the latest response, so it counts as the live token.
  package func decision(
    on number: UInt32, graceSeconds: TimeInterval, now: Date
  ) -> RefreshDecision {
    if number >= rotation { return .rotate }
    // `rotatedAt[0]` is when `rotation - 1` was rotated out, and so on.
    let age = Int(rotation - number) - 1
    // The live token hasn't been used: its response may have been lost, however long ago that was.
    guard age > 0 else { return .repeatCurrent }
    // The successor was first used when it was rotated out itself, one rotation later.
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
