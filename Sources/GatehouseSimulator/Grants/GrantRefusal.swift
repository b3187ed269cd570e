import HTTPTypes

/// Why a code or a refresh token isn't exchanged.
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

  /// In words of no provider's. A provider's own are its ``GrantRules/error(for:)``.
  var plainDescription: String {
    switch self {
    case .unknownCode: "There is no such code."
    case .usedCode: "The code has been used."
    case .expiredCode: "The code has expired."
    case .codeOfAnotherClient: "The code was issued to another client."
    case .redirectURI: "The redirect_uri is not the one of the authorization request."
    case .missingVerifier: "The code needs a code_verifier."
    case .unexpectedVerifier: "The code was asked for without a code_challenge."
    case .wrongVerifier: "The code_verifier does not fit the code_challenge."
    case .unknownRefreshToken: "There is no such refresh token."
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
