import GatehouseProtocol

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
