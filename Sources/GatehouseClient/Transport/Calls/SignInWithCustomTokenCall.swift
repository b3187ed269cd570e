import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithCustomToken`: a token of the app's own back end, good for an hour.
struct SignInWithCustomTokenCall: ServerCall {
  var token: String

  var path: String { "v1/accounts:signInWithCustomToken" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    writer.member("token", token)
    writer.member("returnSecureToken", true)
  }

  func answer(_ fields: WireFields) throws(WireError) -> NewableSignIn {
    try NewableSignIn(fields)
  }
}
