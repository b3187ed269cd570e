import Foundation
import GatehouseProtocol

/// `accounts:sessions`: the devices on which the user is signed in.
struct SessionsCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:sessions" }
  var isRepeatable: Bool { true }

  var request: SessionsRequest { SessionsRequest(idToken: idToken) }

  func answer(_ response: SessionsResponse) throws(WireError) -> [DeviceSession] {
    response.sessions.map { DeviceSession($0) }
  }
}

/// `accounts:endSession`: ends one of the user's sessions, or all except the caller's.
struct EndSessionCall: ServerCall {
  var idToken: String
  /// The id of the session to end. Nil ends all except the caller's.
  var session: String?

  var path: String { "v1/accounts:endSession" }
  var isRepeatable: Bool { true }

  var request: EndSessionRequest { EndSessionRequest(idToken: idToken, sessionID: session) }

  func answer(_ response: EndSessionResponse) throws(WireError) {}
}

/// `accounts:nameSession`.
struct NameSessionCall: ServerCall {
  var idToken: String
  var session: String
  var name: String?

  var path: String { "v1/accounts:nameSession" }
  var isRepeatable: Bool { true }

  var request: NameSessionRequest {
    NameSessionRequest(idToken: idToken, sessionID: session, name: name)
  }

  func answer(_ response: EmptyResponse) throws(WireError) {}
}
