import GatehouseProtocol

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
