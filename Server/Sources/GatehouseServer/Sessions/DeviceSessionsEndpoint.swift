import Foundation
import GatehouseProtocol
import HTTPTypes

/// `accounts:sessions`, `accounts:endSession`, `accounts:nameSession`: list, end and name the
/// sessions of an account. Extensions.
///
/// A user sends the ID token as `idToken` of a `POST`. To list the sessions, the user can also send it as
/// the bearer token of a `GET`. An administrator lists and ends the sessions of the account `localId`.
struct DeviceSessions: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let admin = "v1/projects/*/accounts:"
    return [
      .user(.get, "v1/accounts:sessions", "sessions", ofBearer),
      .client(.post, "v1/accounts:sessions", "sessions", ofBody),
      .client(.post, "v1/accounts:endSession", "endSession", end),
      .client(.post, "v1/accounts:nameSession", "nameSession", name),
      .administrator(.get, admin + "sessions", "accounts.sessions", role: .viewer, ofAnyone),
      .administrator(
        .post, admin + "endSession", "accounts.endSession", role: .support,
        endOfAnyone),
    ]
  }

  func ofBearer(_ call: Call) async throws -> Answer {
    guard
      let idToken = CallerIdentification.bearer(call.head.headerFields[.authorization])
    else { throw APIError.refused(.missingIDToken) }
    return try await own(idToken, call)
  }

  func ofBody(_ call: Call) async throws -> Answer {
    guard let idToken = try call.request(SessionsRequest.self).idToken else {
      throw APIError.refused(.missingIDToken)
    }
    return try await own(idToken, call)
  }

  private func own(_ idToken: String, _ call: Call) async throws -> Answer {
    let (sessions, current) = try await services.accounts.sessions(
      idToken: idToken, in: try call.requireProject(), now: call.now)
    return Self.answer(sessions, current: current)
  }

  func ofAnyone(_ call: Call) async throws -> Answer {
    let uid = try Self.uid(call.parameters.string("localId"))
    return Self.answer(
      try await services.accounts.sessions(of: uid, in: try call.requireProject()), current: nil)
  }

  func end(_ call: Call) async throws -> Answer {
    let request = try call.request(EndSessionRequest.self)
    let project = try call.requireProject()
    if call.isAdministrator { return try await endOfAnyone(call) }
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    guard let id = try Self.target(of: request) else {
      let count = try await services.accounts.endOtherSessions(
        idToken: idToken, in: project, now: call.now)
      return Answer(EndSessionResponse(ended: count))
    }
    try await services.accounts.endSession(id, idToken: idToken, in: project, now: call.now)
    return Answer(EndSessionResponse(ended: 1))
  }

  func endOfAnyone(_ call: Call) async throws -> Answer {
    let request = try call.request(EndSessionRequest.self)
    let id = try Self.target(of: request)
    let count = try await services.accounts.endSessions(
      id.map { [$0] }, of: try Self.uid(request.localID), in: try call.requireProject(),
      now: call.now)
    return Answer(EndSessionResponse(ended: count))
  }

  func name(_ call: Call) async throws -> Answer {
    let request = try call.request(NameSessionRequest.self)
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    guard let id = try Self.sessionID(request.sessionID) else {
      throw APIError.invalidArgument("sessionId is missing.")
    }
    if let name = request.name, !Self.isAllowed(name) {
      throw APIError.invalidArgument(
        "name must have at most \(SessionDevice.nameLimit) characters, and no control characters.")
    }
    let isNamed = try await services.accounts.nameSession(
      id, request.name, idToken: idToken, in: try call.requireProject(), now: call.now)
    guard isNamed else { throw APIError.invalidArgument("There is no such session.") }
    return Answer(EmptyResponse())
  }

  /// The session that the request names. Nil for `others`: the user's other sessions, or all sessions if an
  /// administrator asks.
  private static func target(of request: EndSessionRequest) throws(APIError) -> SessionID? {
    let id = try sessionID(request.sessionID)
    guard (id != nil) != (request.endsOthers == true) else {
      throw .invalidArgument("Give sessionId, or others.")
    }
    return id
  }

  private static func sessionID(_ text: String?) throws(APIError) -> SessionID? {
    guard let text else { return nil }
    guard let id = SessionID(text) else { throw .invalidArgument("Invalid sessionId.") }
    return id
  }

  private static func uid(_ text: String?) throws -> UID {
    guard let text, !text.isEmpty else { throw APIError.refused(.missingLocalID) }
    guard let uid = UID(text) else { throw AccountsError.userNotFound }
    return uid
  }

  private static func isAllowed(_ name: String) -> Bool {
    name.count <= SessionDevice.nameLimit && name.utf8.count <= SessionDevice.nameLimit * 4
      && !name.unicodeScalars.contains(where: \.disturbsLines)
  }

  static func answer(_ sessions: [Session], current: SessionID?) -> Answer {
    Answer(
      SessionsResponse(
        sessions.map { session in
          var shown = SessionsResponse.Session(
            sessionID: session.id.description, isCurrent: session.id == current,
            provider: session.provider.text, createdAt: UserInfo.milliseconds(session.createdAt),
            authenticatedAt: UserInfo.milliseconds(session.authenticatedAt),
            lastUsedAt: UserInfo.milliseconds(session.lastUsedAt))
          shown.userAgent = session.device?.userAgent
          shown.app = session.device?.app
          shown.address = session.device?.address
          shown.name = session.device?.name
          return shown
        }))
  }
}
