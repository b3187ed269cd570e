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
  /// The app's own domain, if its site forwards `/__/auth/` to the server and the project authorizes
  /// the domain. Then the user sees only this domain. Nil for the server's URL. With an emulator,
  /// without effect.
  public var handlerHost: String?

  public init(
    provider: Provider, scopes: [String] = [], customParameters: [String: String] = [:],
    sessionID: String, eventID: String, redirectURL: String, handlerHost: String? = nil
  ) {
    self.provider = provider
    self.scopes = scopes
    self.customParameters = customParameters
    self.sessionID = sessionID
    self.eventID = eventID
    self.redirectURL = redirectURL
    self.handlerHost = handlerHost
  }
}

extension BrowserSignInRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "BrowserSignInRequest(\(provider))" }
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
