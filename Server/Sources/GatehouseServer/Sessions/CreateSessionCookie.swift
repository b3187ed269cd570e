package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// `projects/{p}:createSessionCookie`: a back end exchanges a user's ID token for a session cookie.
struct CreateSessionCookie: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .administrator(
        .post, "v1/projects/*:createSessionCookie", "createSessionCookie", answer)
    ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(CreateSessionCookieRequest.self)
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let cookie = try await services.accounts.sessionCookie(
      forIDToken: idToken,
      lifetimeSeconds: request.validDuration ?? SessionIssuer.cookieLifetimeSeconds.upperBound,
      in: try call.requireProject(), now: call.now)
    return Answer(CreateSessionCookieResponse(sessionCookie: cookie))
  }
}

/// `projects/{p}:createSessionCookie`.
struct CreateSessionCookieRequest: WireRequest {
  var idToken: String?
  /// Seconds. Nil asks for the longest lifetime; 0 is an explicit value, which Google's service
  /// rejects.
  var validDuration: Int64?

  init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    validDuration = try fields.int64("validDuration")
  }
}

struct CreateSessionCookieResponse: WireResponse {
  var sessionCookie: String

  init(sessionCookie: String) { self.sessionCookie = sessionCookie }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionCookie", sessionCookie)
  }
}

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
