import GatehouseProtocol

/// `POST v1/nonces`, an extension: the server creates the nonce of the next sign-in, for one
/// session or for a client that isn't signed in.
struct Nonces: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.client(.post, "v1/nonces", "nonces", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(NonceRequest.self)
    let nonce = try await services.accounts.issueNonce(
      forIDToken: request.idToken, in: try call.requireProject(), now: call.now)
    return Answer(
      NonceResponse(
        nonce: nonce.text, sessionID: nonce.sessionID,
        expiresInSeconds: Int(NonceCodec.lifetimeSeconds)))
  }
}
