/// `accounts:signInWithFirebaseToken`, an extension. The response is a ``SignInWithCustomTokenResponse``.
public struct SignInWithFirebaseTokenRequest: WireMessage {
  /// An ID token that Firebase issued. It works once.
  public var token: String?

  public init(token: String) { self.token = token }

  public init(_ fields: WireFields) throws(WireError) {
    token = try fields.string("token")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("token", ifPresent: token)
    writer.member("returnSecureToken", true)
  }
}
