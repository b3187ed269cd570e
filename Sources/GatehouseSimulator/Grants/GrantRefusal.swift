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

  /// The refusal as the provider words it. The code is `invalid_grant` (RFC 6749 §5.2) but for
  /// Google's name for a redirect URI that isn't the one of the authorization.
  func error(at provider: Provider) -> SimulatorError {
    let code =
      provider == .google && self == .redirectURI ? "redirect_uri_mismatch" : "invalid_grant"
    return SimulatorError(.badRequest, code, description(at: provider))
  }

  private func description(at provider: Provider) -> String {
    switch provider {
    case .apple: appleDescription
    case .google: googleDescription
    case .facebook, .oidc, .issuer: plainDescription
    }
  }

  private var appleDescription: String {
    switch self {
    case .unknownCode, .expiredCode: "The code has expired or has been revoked."
    case .usedCode: "The code has already been used."
    case .codeOfAnotherClient: "client_id mismatch. The code was not issued to this client."
    case .redirectURI: "redirect_uri mismatch. The code was issued to another redirect_uri."
    case .unknownRefreshToken, .withdrawn: "The token has expired or has been revoked."
    case .refreshTokenOfAnotherClient:
      "client_id mismatch. The refresh token was not issued to this client."
    case .missingVerifier, .unexpectedVerifier, .wrongVerifier: plainDescription
    }
  }

  private var googleDescription: String {
    switch self {
    case .unknownCode: "Malformed auth code."
    case .usedCode, .expiredCode, .codeOfAnotherClient, .redirectURI: "Bad Request"
    case .missingVerifier: "Missing code verifier."
    case .unexpectedVerifier: "code_verifier or verifier is not needed."
    case .wrongVerifier: "Invalid code verifier."
    case .unknownRefreshToken, .refreshTokenOfAnotherClient: "Bad Request"
    case .withdrawn: "Token has been expired or revoked."
    }
  }

  private var plainDescription: String {
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
