public import GatehouseTokens

/// Why nobody was let in.
public enum VerificationError: Error, Sendable, Hashable {
  /// The token isn't one of this project's that holds now; the error's code says what is wrong.
  case refused(TokenError)

  /// A claim that every token of the server has is absent, or can't be: `auth_time`.
  case claim(String)

  /// The server was asked, and says that it is over.
  case ended(Ending)

  /// Nothing is known of the token, for the server could not be asked. Not the caller's fault:
  /// answer with 503.
  case unavailable(ServerFault)

  /// Why a session is over before its token is.
  public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// The person signed out everywhere, has a new password, or the session was ended.
    case revoked
    case disabled
    case deleted
  }

  /// Whether the caller must sign in again, or refresh; otherwise the server is to blame.
  public var isOfToken: Bool {
    if case .unavailable = self { false } else { true }
  }
}

extension VerificationError: CustomStringConvertible {
  /// Holds nothing of the token: safe to log, and to answer with.
  public var description: String {
    switch self {
    case .refused(let error): error.code.explanation
    case .claim(let name): "\(name) is absent or can't be."
    case .ended(.revoked): "The session is over."
    case .ended(.disabled): "The account is disabled."
    case .ended(.deleted): "The account is deleted."
    case .unavailable(let fault): "\(fault)."
    }
  }
}
