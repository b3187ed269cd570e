import GatehouseJSON
import GatehouseWire

/// `nonces`: the server makes the nonce of the next sign-in.
struct NonceCall: ServerCall {
  var idToken: String?

  var path: String { "v1/nonces" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) { writer.member("idToken", ifPresent: idToken) }

  func answer(_ fields: WireFields) throws(WireError) -> ServerNonce {
    ServerNonce(
      nonce: Nonce(raw: try fields.requiredString("nonce")),
      sessionID: try fields.nonEmptyString("sessionId"))
  }
}
