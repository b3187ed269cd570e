public import GatehouseJSON

/// `projects/{p}:createSessionCookie`.
public struct CreateSessionCookieRequest: WireRequest {
  public var idToken: String?
  /// Seconds. Nil asks for the longest lifetime; 0 is an explicit value, which Google's service
  /// rejects.
  public var validDuration: Int64?

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    validDuration = try fields.int64("validDuration")
  }
}

public struct CreateSessionCookieResponse: WireResponse {
  public var sessionCookie: String

  public init(sessionCookie: String) { self.sessionCookie = sessionCookie }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionCookie", sessionCookie)
  }
}
