package import Foundation
import GatehouseProtocol

/// The result of a refresh.
package struct Refreshed: Sendable {
  package let account: Account
  package let tokens: IssuedTokens
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
