import Foundation
import GatehouseProtocol
import GatehouseTokens

extension SessionIssuer {
  /// The allowed lifetimes of a session cookie: five minutes to fourteen days. Seconds.
  ///
  /// Source: Firebase, "Manage Session Cookies".
  package static let cookieLifetimeSeconds: ClosedRange<Int64> = 300...1_209_600

  /// A cookie with the claims of the ID token, but with its own issuer, keys and times. Because of the
  /// issuer and the keys, neither token is accepted in place of the other.
  ///
  /// The claims include `firebase.sid`, so that our endpoints reject the cookie when its session
  /// ends. A verifier that has only the key set accepts the cookie until it expires.
  func cookie(
    of idToken: VerifiedToken, lifetimeSeconds: Int64, in project: Project, now: Date
  ) throws -> String {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", project.sessionCookieIssuer)
      claims.date("iat", now)
      claims.date("exp", now.wholeSeconds.addingTimeInterval(TimeInterval(lifetimeSeconds)))
      claims.claims(of: idToken)
    }
    return try signed(payload, by: cookieKeys, in: project)
  }

  /// Checks a session cookie: signature, project, times.
  ///
  /// Doesn't check the account or the session: see ``Transaction/currentUser(_:in:)``.
  ///
  /// - Throws: ``AccountsError/tokenExpired`` for a cookie that has expired and is otherwise valid,
  ///   ``AccountsError/invalidSessionCookie`` for everything else.
  func verify(
    cookie: String, in project: Project, now: Date
  ) throws(AccountsError) -> IDTokenFacts {
    let token = try verified(
      cookie, issuer: project.sessionCookieIssuer, keys: cookieKeys,
      refusal: .invalidSessionCookie, in: project, now: now)
    return try IDTokenFacts(token, refusal: .invalidSessionCookie)
  }
}
