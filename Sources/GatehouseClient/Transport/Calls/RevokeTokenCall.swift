import GatehouseWire

/// v2's `accounts:revokeToken`: asks the server to revoke, at Apple, the tokens behind an
/// authorization code.
///
/// Apple accepts a code once. The server remembers the codes that it has revoked for a while, and
/// gives the same answer again.
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
