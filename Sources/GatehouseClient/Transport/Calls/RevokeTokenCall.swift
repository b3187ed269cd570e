import GatehouseJSON
import GatehouseWire

/// v2's `accounts:revokeToken`: Apple is asked to forget the tokens behind an authorization code.
///
/// Apple takes a code once; the server remembers for a while whose codes it has revoked, and answers
/// the same again.
struct RevokeTokenCall: ServerCall {
  var idToken: String
  var provider: Provider
  var authorizationCode: String

  var path: String { "v2/accounts:revokeToken" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    writer.member("providerId", provider.rawValue)
    writer.member("tokenType", "CODE")
    writer.member("token", authorizationCode)
    writer.member("idToken", idToken)
  }

  func answer(_ fields: WireFields) throws(WireError) {}
}
