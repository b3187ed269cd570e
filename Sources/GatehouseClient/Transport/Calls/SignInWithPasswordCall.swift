import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithPassword`.
struct SignInWithPasswordCall: ServerCall {
  var email: String
  var password: String

  var path: String { "v1/accounts:signInWithPassword" }
  /// If the answer is lost, its session is never used and expires by itself.
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    writer.member("email", email)
    writer.member("password", password)
    writer.member("returnSecureToken", true)
  }

  func answer(_ fields: WireFields) throws(WireError) -> HeldTokens {
    try fields.requiredTokens()
  }
}
