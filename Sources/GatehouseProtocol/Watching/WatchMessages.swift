/// The types of events in the stream of `accounts:watch`, besides those of the event log
/// (`account.deleted` …). A client ignores the types that it doesn't know.
public struct WatchEventType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// From here on the client is told of each event.
  public static let ready = WatchEventType(rawValue: "ready")
  /// The client may have missed events, and reads everything again.
  public static let reload = WatchEventType(rawValue: "reload")
  /// The session of the stream has ended; the data contains the `reason`. The stream ends.
  public static let signedOut = WatchEventType(rawValue: "signed_out")
  /// The account has too many streams, and this is the oldest. The stream ends.
  public static let replaced = WatchEventType(rawValue: "replaced")
}

/// The body of `POST accounts:watch`, for web pages: they can't send the ID token as a bearer token.
public struct WatchRequest: WireMessage {
  public var idToken: String?
  /// The id of the last event that the client was told of.
  public var lastEventID: String?

  public init(idToken: String, lastEventID: String? = nil) {
    self.idToken = idToken
    self.lastEventID = lastEventID
  }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    lastEventID = try fields.nonEmptyString("lastEventId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("lastEventId", ifPresent: lastEventID)
  }
}
