/// The parameters with which a sign-in in a browser begins.
public struct BrowserSignInRequest: Sendable, Hashable {
  public var provider: Provider
  public var scopes: [String]
  public var customParameters: [String: String]
  /// Random. The server's handler page gets its SHA-256 in hex.
  public var sessionID: String
  public var eventID: String
  /// Where the browser returns to: `<scheme>://firebaseauth/link`, or a loopback address (RFC 8252
  /// §7.3).
  public var redirectURL: String

  public init(
    provider: Provider, scopes: [String] = [], customParameters: [String: String] = [:],
    sessionID: String, eventID: String, redirectURL: String
  ) {
    self.provider = provider
    self.scopes = scopes
    self.customParameters = customParameters
    self.sessionID = sessionID
    self.eventID = eventID
    self.redirectURL = redirectURL
  }
}

extension BrowserSignInRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "BrowserSignInRequest(\(provider))" }
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
