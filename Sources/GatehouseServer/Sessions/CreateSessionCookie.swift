import GatehouseWire

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
