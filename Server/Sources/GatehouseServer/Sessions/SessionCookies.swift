package import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Exchanges an ID token for a session cookie: the same claims, valid for longer, for a web
  /// server that keeps its users signed in by a cookie.
  ///
  /// Doesn't check how recent the sign-in is: the protocol leaves this check to the back end, which
  /// reads `auth_time`. Begins no session: the cookie belongs to the ID token's session and ends with
  /// it.
  ///
  /// - Parameter lifetimeSeconds: Within ``SessionIssuer/cookieLifetimeSeconds``.
  /// - Throws: ``AccountsError/invalidDuration``, and what ``currentUser(ofIDToken:in:now:)`` throws.
  package func sessionCookie(
    forIDToken idToken: String, lifetimeSeconds: Int64, in project: Project, now: Date
  ) async throws -> String {
    guard SessionIssuer.cookieLifetimeSeconds.contains(lifetimeSeconds) else {
      throw AccountsError.invalidDuration
    }
    let token = try sessions.verifiedIDToken(idToken, in: project, now: now)
    let facts = try IDTokenFacts(token)
    _ = try await store.read { try $0.currentUser(facts, in: project.id) }
    return try sessions.cookie(
      of: token, lifetimeSeconds: lifetimeSeconds, in: project, now: now)
  }

  /// The account and session behind a session cookie, after every check.
  ///
  /// - Throws: ``AccountsError/invalidSessionCookie``, ``AccountsError/tokenExpired``,
  ///   ``AccountsError/userNotFound``, ``AccountsError/userDisabled``.
  package func currentUser(
    ofSessionCookie cookie: String, in project: Project, now: Date
  ) async throws -> CurrentUser {
    let facts = try sessions.verify(cookie: cookie, in: project, now: now)
    return try await store.read { try $0.currentUser(facts, in: project.id) }
  }
}
