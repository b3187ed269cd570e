import GatehouseProtocol

/// `nonces`: the server creates a nonce for the next sign-in or link.
struct NonceCall: ServerCall {
  var idToken: String?

  var path: String { "v1/nonces" }
  var isRepeatable: Bool { true }

  var request: NonceRequest { NonceRequest(idToken: idToken) }

  func answer(_ response: NonceResponse) throws(WireError) -> ServerNonce {
    ServerNonce(nonce: Nonce(raw: response.nonce), sessionID: response.sessionID)
  }
}
