import GatehouseJSON
import GatehouseWire

/// `token`: another ID token for a refresh token. The server takes the old one again for a minute
/// after it gave another out: a lost answer that is asked for again by then does no harm.
struct TokenCall: ServerCall {
  var refreshToken: String

  var path: String { "v1/token" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    TokenRequest(refreshToken: refreshToken).writeMembers(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> HeldTokens {
    try fields.requiredTokens()
  }
}
