import GatehouseJSON
import GatehouseWire

/// `projects/{p}:createSessionCookie`.
struct CreateSessionCookieRequest: WireRequest {
  var idToken: String?
  /// Seconds. Nil asks for the longest lifetime; 0 is an explicit value, which Google's service
  /// rejects.
  var validDuration: Int64?

  init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    validDuration = try fields.int64("validDuration")
  }
}

struct CreateSessionCookieResponse: WireResponse {
  var sessionCookie: String

  init(sessionCookie: String) { self.sessionCookie = sessionCookie }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionCookie", sessionCookie)
  }
}
