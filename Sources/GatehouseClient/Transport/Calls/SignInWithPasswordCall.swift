import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithPassword`.
struct SignInWithPasswordCall: ServerCall {
  var email: String
  var password: String

  var path: String { "v1/accounts:signInWithPassword" }
  /// A session that nobody holds ends by itself.
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    SignInWithPasswordRequest(email: email, password: password).writeMembers(to: &writer)
  }

  func answer(_ fields: WireFields) throws(WireError) -> HeldTokens {
    try fields.requiredTokens()
  }
}
