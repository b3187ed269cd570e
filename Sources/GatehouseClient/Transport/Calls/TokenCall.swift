import GatehouseProtocol

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
