import Foundation
import HTTPTypes
import Hummingbird

/// A session of a user of a Firebase project, as Google's SDK keeps it on a device.
private struct FirebaseSession: Sendable {
  let project: String
  let apiKey: String
  let uid: String
  let signInProvider: String
  let authenticatedAt: Date
  var isRevoked = false
}

/// Firebase's sessions, by their refresh tokens.
private struct FirebaseState: ProviderState {
  var sessions: BoundedTable<Identifier, FirebaseSession>

  init(limits: SimulatorLimits) { sessions = BoundedTable(limit: limits.tokens) }
}

private struct FirebaseSessionBody: RequestBodyMembers {
  static let members: Set<String> = [
    "project", "api_key", "uid", "sign_in_provider", "age", "faults",
  ]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var project: String
  var api_key: String
  var uid: String
  /// `anonymous`, `password`, `apple.com` …; the default is `google.com`.
  var sign_in_provider: String?
  /// How long ago the user signed in. Seconds; the default is 0.
  var age: Int?
  /// Faults of this token only. They replace those of Google.
  var faults: TokenFaults?
}

private struct FirebaseRevocationBody: RequestBodyMembers {
  static let members: Set<String> = ["uid"]

  var uid: String
}

private struct FirebaseRefreshBody: RequestBodyMembers {
  static let members: Set<String> = ["grantType", "refreshToken"]

  var grantType: String?
  var refreshToken: String?
}

/// What Google's SDK for Firebase leaves on a device when an app replaces it, and the two services that
/// continue such a session: the token endpoint (`securetoken.googleapis.com/v1/token`) and the keys of
/// Firebase's ID tokens.
struct FirebaseSessions: Sendable {
  fileprivate static let lifetimeSeconds = 3600

  let store: SimulatorStore

  private var bodyLimit: Int { store.configuration.limits.bodyBytes }

  static var endpoints: [Endpoint] {
    [
      Endpoint("POST", "/google/v1/token", "refreshes a session at Firebase"),
      Endpoint(
        "GET", "/google/service_accounts/v1/jwk/{account}", "the keys of Firebase's ID tokens"),
    ]
  }

  func add(to group: RouterGroup<SimulatorContext>) {
    group.post("v1/token") { request, _ in try await refresh(request) }
    group.get("service_accounts/v1/jwk/:account") { _, _ in
      // Google has other keys for these tokens than for its own.
      try Response.cacheable(try store.withState { try $0.keySet(of: .google) })
    }
  }

  func addControl(to group: RouterGroup<SimulatorContext>) {
    group.post("google/firebase-sessions") { request, _ in try await begin(request) }
    group.post("google/firebase-sessions/revoke") { request, _ in try await revoke(request) }
  }

  /// `POST /simulator/google/firebase-sessions`: a user signs in to the Firebase project.
  private func begin(_ request: Request) async throws -> Response {
    let body: FirebaseSessionBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    let session = FirebaseSession(
      project: body.project, apiKey: body.api_key, uid: body.uid,
      signInProvider: body.sign_in_provider ?? "google.com",
      authenticatedAt: now.addingTimeInterval(-Double(body.age ?? 0)))
    let (refreshToken, token) = try store.withState { state in
      let refreshToken = "AMf-v\(RandomToken.base64(bytes: 90))"
      state[FirebaseState.self].sessions.set(session, for: Identifier(refreshToken))
      return (
        refreshToken, try state.token(of: session, now: now, faults: body.faults)
      )
    }
    return try .json([
      "idToken": .string(try token.signed()), "refreshToken": .string(refreshToken),
      "expiresIn": .string("\(Self.lifetimeSeconds)"),
    ])
  }

  /// `POST /simulator/google/firebase-sessions/revoke`: ends the user's sessions at Firebase.
  private func revoke(_ request: Request) async throws -> Response {
    let body: FirebaseRevocationBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let count = store.withState { state in
      var sessions = state[FirebaseState.self].sessions
      let own = sessions.keys.filter { sessions[$0]?.uid == body.uid }
      for key in own {
        guard var session = sessions[key] else { continue }
        session.isRevoked = true
        sessions.set(session, for: key)
      }
      state[FirebaseState.self].sessions = sessions
      return own.count
    }
    return try .json(["revoked": .integer(count)])
  }

  /// Exchanges a refresh token, as Google's SDK does. The refresh token stays the same.
  private func refresh(_ request: Request) async throws -> Response {
    let key = try RequestForm.query(request).filled("key")
    let (grantType, token) = try await refreshRequest(request)
    guard grantType == "refresh_token" else { return try Self.error("INVALID_GRANT_TYPE") }
    guard let refreshToken = token, !refreshToken.isEmpty else {
      return try Self.error("MISSING_REFRESH_TOKEN")
    }
    let now = store.now
    let found = try store.withState { state -> (FirebaseSession, UnsignedToken)? in
      guard let session = state[FirebaseState.self].sessions[Identifier(refreshToken)] else {
        return nil
      }
      return (session, try state.token(of: session, now: now, faults: nil))
    }
    guard let (session, token) = found else { return try Self.error("INVALID_REFRESH_TOKEN") }
    guard session.apiKey == key else {
      return try Self.error("API key not valid. Please pass a valid API key.")
    }
    if session.isRevoked { return try Self.error("TOKEN_EXPIRED") }
    let text = try token.signed()
    return try .json([
      "access_token": .string(text), "expires_in": .string("\(Self.lifetimeSeconds)"),
      "token_type": "Bearer", "refresh_token": .string(refreshToken), "id_token": .string(text),
      "user_id": .string(session.uid), "project_id": "1234567890",
    ])
  }

  /// Google's SDK for Apple's systems sends JSON; Google takes a form, too.
  private func refreshRequest(
    _ request: Request
  ) async throws -> (grantType: String?, refreshToken: String?) {
    guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
      let form = try await RequestForm.body(request, limit: bodyLimit)
      return (form.filled("grant_type"), form.filled("refresh_token"))
    }
    let body: FirebaseRefreshBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    return (body.grantType, body.refreshToken)
  }

  private static func error(_ message: String) throws -> Response {
    try .json(
      ["error": ["code": 400, "message": .string(message), "status": "INVALID_ARGUMENT"]],
      status: .badRequest)
  }
}

extension SimulatorState {
  fileprivate mutating func token(
    of session: FirebaseSession, now: Date, faults: TokenFaults?
  ) throws -> UnsignedToken {
    let time = { (date: Date) in JSONValue.integer(Int(date.timeIntervalSince1970)) }
    let claims: [String: JSONValue] = [
      "iss": .string("https://securetoken.google.com/\(session.project)"),
      "aud": .string(session.project), "sub": .string(session.uid),
      "user_id": .string(session.uid), "auth_time": time(session.authenticatedAt),
      "iat": time(now),
      "exp": time(now.addingTimeInterval(Double(FirebaseSessions.lifetimeSeconds))),
      "firebase": [
        "identities": [:], "sign_in_provider": .string(session.signInProvider),
      ],
    ]
    return try unsignedToken(
      .google, claims: claims, faults: faults ?? self.faults.tokens[.google])
  }
}
