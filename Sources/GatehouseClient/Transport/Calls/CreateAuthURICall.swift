import GatehouseJSON
import GatehouseWire

/// `accounts:createAuthUri`: the sign-in methods of an email address.
struct CreateAuthURICall: ServerCall {
  var email: String

  var path: String { "v1/accounts:createAuthUri" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) {
    writer.member("identifier", email)
    writer.member("continueUri", "http://localhost")
  }

  func answer(_ fields: WireFields) throws(WireError) -> [String] {
    try fields.strings("signinMethods")
  }
}
