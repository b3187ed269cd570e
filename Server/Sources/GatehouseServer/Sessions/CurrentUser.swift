package import Foundation
import GatehouseProtocol

/// The bearer of an ID token: its account and session, as they are now.
package struct CurrentUser: Sendable {
  package var account: Account
  /// Its `authenticatedAt` is not later than the token's `auth_time`. A thief may have a copy of an earlier
  /// token of the session. When the user authenticates again in this session
  /// (``AccountsService/confirm(_:forIDToken:in:now:)``), the copy must not become recent.
  package var session: Session

  /// Whether the account and its session are anonymous. An account whose user unlinked everything is
  /// anonymous too, but its session isn't: with a stolen ID token of such a session, an attacker could link
  /// their own credential as if they had created the account.
  var isGuest: Bool { account.isAnonymous && session.provider == .anonymous }
}

extension Transaction {
  /// Checks the claims of a verified token against the store.
  ///
  /// - Throws: ``AccountsError/userNotFound`` if the account doesn't exist,
  ///   ``AccountsError/userDisabled``, and ``AccountsError/tokenExpired`` if the session ended, if the
  ///   token was revoked, or if the account is a newer one with the same id.
  func currentUser(_ facts: IDTokenFacts, in project: ProjectID) throws -> CurrentUser {
    // A database behind a network reads both in one round trip.
    if connection.isRemote, let key = try key(of: project) {
      connection.expect([
        SQLQuery(SessionRecordSQL.session, [.integer(key), .blob(facts.session.bytes)])
      ])
    }
    return try currentUser(facts, of: try account(facts.uid, in: project), in: project)
  }

  /// Checks in the same way, for an account that was read before.
  ///
  /// - Parameter account: Nil if there is none.
  func currentUser(
    _ facts: IDTokenFacts, of account: Account?, in project: ProjectID
  ) throws -> CurrentUser {
    guard let account else { throw AccountsError.userNotFound }
    if account.isDisabled { throw AccountsError.userDisabled }
    guard let session = try session(facts.session, in: project), session.uid == account.uid,
      session.ended == nil, session.createdAt >= account.createdAt,
      // A token is never older than its session, even if the clock was set back after the session
      // began.
      max(facts.issuedAt, session.createdAt.wholeSeconds) >= account.validSince
    else { throw AccountsError.tokenExpired }
    return CurrentUser(account: account, session: session.asAuthenticated(by: facts))
  }
}

extension AccountsService {
  /// The account and session behind an ID token, after every check.
  ///
  /// - Throws: ``AccountsError/invalidIDToken``, ``AccountsError/tokenExpired``,
  ///   ``AccountsError/userNotFound``, ``AccountsError/userDisabled``.
  package func currentUser(ofIDToken idToken: String, in project: Project, now: Date) async throws
    -> CurrentUser
  {
    let facts = try facts(ofIDToken: idToken, in: project, now: now)
    return try await store.read { try $0.currentUser(facts, in: project.id) }
  }

  /// Verifies an ID token and returns what it says. Doesn't check the session and the account: the
  /// transaction that uses the result does that.
  ///
  /// - Throws: ``AccountsError/invalidIDToken``, ``AccountsError/tokenExpired``.
  package func facts(
    ofIDToken idToken: String, in project: Project, now: Date
  ) throws(AccountsError) -> IDTokenFacts {
    try sessions.verify(idToken, in: project, now: now)
  }
}

extension Session {
  fileprivate func asAuthenticated(by facts: IDTokenFacts) -> Session {
    // The claim is in whole seconds.
    guard facts.authenticatedAt.addingTimeInterval(1) <= authenticatedAt else { return self }
    var session = self
    session.authenticatedAt = facts.authenticatedAt
    return session
  }
}
