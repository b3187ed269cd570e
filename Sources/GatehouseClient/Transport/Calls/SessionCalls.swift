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

/// `token`: exchanges a refresh token for a new ID token. Safe to repeat after a lost response: the
/// server accepts the old refresh token until the new one has been used, and for the project's
/// grace period (a minute by default) after that.
struct TokenCall: ServerCall {
  var refreshToken: String

  var path: String { "v1/token" }
  var isRepeatable: Bool { true }

  var request: TokenRequest { TokenRequest(refreshToken: refreshToken) }

  func answer(_ response: SessionTokens) throws(WireError) -> HeldTokens {
    try HeldTokens(response)
  }
}

/// `accounts:revokeToken` of v2: asks the server to revoke the tokens of an authorization code at
/// Apple.
///
/// Apple accepts a code once. The server remembers for a while which codes it has revoked. If one
/// is sent again, it returns the same response.
struct RevokeTokenCall: ServerCall {
  var idToken: String
  var provider: Provider
  var authorizationCode: String

  var path: String { "v2/accounts:revokeToken" }
  var isRepeatable: Bool { true }

  var request: RevokeTokenRequest {
    RevokeTokenRequest(
      providerID: provider.rawValue, kind: .code, token: authorizationCode, idToken: idToken)
  }

  func answer(_ response: EmptyResponse) throws(WireError) {}
}
