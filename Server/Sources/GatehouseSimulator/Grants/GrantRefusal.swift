import HTTPTypes

/// Why a code or a refresh token is rejected.
enum GrantRefusal: Sendable {
  case unknownCode
  case usedCode
  case expiredCode
  case codeOfAnotherClient
  case redirectURI
  case missingVerifier
  case unexpectedVerifier
  case wrongVerifier
  case unknownRefreshToken
  case refreshTokenOfAnotherClient
  /// The consent was withdrawn, the token revoked, or the person deleted.
  case withdrawn

  /// A description for all providers. ``GrantRules/error(for:)`` returns a provider's own.
  var plainDescription: String {
    switch self {
    case .unknownCode: "The code does not exist."
    case .usedCode: "The code was already used."
    case .expiredCode: "The code has expired."
    case .codeOfAnotherClient: "The code was issued to another client."
    case .redirectURI: "The redirect_uri differs from the one in the authorization request."
    case .missingVerifier: "code_verifier is required."
    case .unexpectedVerifier:
      "The authorization request had no code_challenge: send no code_verifier."
    case .wrongVerifier: "The code_verifier does not match the code_challenge."
    case .unknownRefreshToken: "The refresh token does not exist."
    case .refreshTokenOfAnotherClient: "The refresh token was issued to another client."
    case .withdrawn: "The person has withdrawn the consent."
    }
  }
}

extension SimulatorError {
  /// RFC 6749 §5.2.
  static func invalidGrant(_ message: String) -> SimulatorError {
    SimulatorError(.badRequest, "invalid_grant", message)
  }
}
