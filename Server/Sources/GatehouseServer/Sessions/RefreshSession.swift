package import Foundation
package import GatehouseProtocol

/// The result of a refresh.
package struct Refreshed: Sendable {
  package let account: Account
  package let tokens: SessionTokens
}

extension AccountsService {
  /// Exchanges a refresh token for new tokens and rotates it; see ``Session/RefreshDecision``.
  ///
  /// If the token shows that another party has a copy of it, the call ends the session, the pending tokens or
  /// temporary proofs of its credential, and the account's codes for another address.
  ///
  /// - Throws: ``AccountsError/invalidRefreshToken`` for a token that this server never issued for the
  ///   project, or under a master key that was retired or that this session had left behind; ``AccountsError/userNotFound``,
  ///   ``AccountsError/userDisabled``, and ``AccountsError/tokenExpired`` if the session ended, was unused
  ///   for a year or was revoked.
  package func refresh(
    _ refreshToken: String, in project: Project, now: Date
  ) async throws -> Refreshed {
    let token = try sessions.refreshTokens.contents(of: refreshToken, project: project.id)
    let committed = try await store.write { transaction -> (Account, Session)? in
      guard let stored = try transaction.sessionWithAccount(token.session, in: project.id) else {
        // The token is genuine, but the row of its session was removed.
        throw AccountsError.tokenExpired
      }
      var session = stored.session
      let grace = TimeInterval(project.policies.refreshGraceSeconds)
      if let limit = token.keyUsedUntil,
        !session.canHaveToken(
          token.rotation, ofKeyUsedUntil: limit, graceSeconds: grace, now: now)
      {
        throw AccountsError.invalidRefreshToken
      }
      guard var account = stored.account else { throw AccountsError.userNotFound }
      if account.isDisabled { throw AccountsError.userDisabled }
      guard session.isAlive(for: account, now: now) else { throw AccountsError.tokenExpired }
      switch session.decision(on: token.rotation, graceSeconds: grace, now: now) {
      case .reuse:
        session.end(Session.Ending(at: now, reason: .reuse))
        try transaction.update(session, in: project.id)
        try transaction.detachCredential(of: session, account, in: project.id, now: now)
        try transaction.endEmailChanges(of: account.uid, in: project.id)
        try transaction.record(
          .sessionEnded, of: account.uid, details: ["reason": "reuse"], in: project.id, now: now)
        return nil
      case .repeatCurrent: break
      case .rotate:
        session.rotate(from: token.rotation, now: now)
        try transaction.update(session, in: project.id)
        try transaction.touch(
          account.uid, in: project.id, lastLoginAt: nil, lastRefreshAt: now)
        account.lastRefreshAt = now
      }
      return (account, session)
    }
    guard let (account, session) = committed else { throw AccountsError.tokenExpired }
    if account.identities.contains(where: \.provider.traits.checksRefreshTokens) {
      refreshed.insert(account.uid, in: project.id)
    }
    return Refreshed(
      account: account,
      tokens: try sessions.tokens(for: account, session, in: project, now: now))
  }
}

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
