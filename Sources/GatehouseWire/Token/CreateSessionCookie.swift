public import GatehouseJSON

/// `projects/{p}:createSessionCookie`.
public struct CreateSessionCookieRequest: WireRequest {
  public var idToken: String?
  /// Seconds. Nil, which asks for the longest, also for 0: Protocol Buffers don't tell the two apart.
  public var validDuration: Int64?

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    let seconds = try fields.int64("validDuration")
    validDuration = seconds == 0 ? nil : seconds
  }
}

public struct CreateSessionCookieResponse: WireResponse {
  public var sessionCookie: String

  public init(sessionCookie: String) { self.sessionCookie = sessionCookie }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionCookie", sessionCookie)
  }
}
