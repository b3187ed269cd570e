public import GatehouseTokens

/// Why a token was not accepted.
public enum VerificationError: Error, Sendable, Hashable {
  /// The token is not a valid token of this project. The error's code says what is wrong.
  case refused(TokenError)

  /// A claim that every token of the server has is absent or invalid: `auth_time`.
  case claim(String)

  /// The token is valid, but the server reports that its session has ended.
  case ended(Ending)

  /// The check is incomplete, because the server could not be reached or its response is unusable.
  /// This says nothing about the token: respond with 503.
  case unavailable(ServerFault)

  /// Why a session ended before its token expired.
  public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// All sessions of the user were revoked, the password or the email address was changed, or
    /// this session was ended.
    case revoked
    case disabled
    case deleted
  }

  /// Whether the token was rejected: the client must refresh it or sign the user in again. False
  /// for ``unavailable(_:)``.
  public var isOfToken: Bool {
    if case .unavailable = self { false } else { true }
  }
}

extension VerificationError: CustomStringConvertible {
  /// Holds nothing of the token: safe to log, and to send in a response.
  public var description: String {
    switch self {
    case .refused(let error): error.code.explanation
    case .claim(let name): "\(name) is absent or invalid."
    case .ended(.revoked): "The session has ended."
    case .ended(.disabled): "The account is disabled."
    case .ended(.deleted): "The account is deleted."
    case .unavailable(let fault): "\(fault)."
    }
  }
}
