import GatehouseProtocol
import GatehouseTokens

/// Converts the errors of verification to ``FederationError``. ``RequestBinding`` converts those of
/// nonces and hashes.
struct TokenFailures: Sendable {
  /// The configured issuer, for responses.
  let issuer: String
  /// The configured client id, for responses.
  let clientID: String

  func federationError(_ error: TokenError) -> FederationError {
    let reason = error.code.rawValue
    switch error.code {
    case .tooLong, .segments, .base64URL, .header, .payload:
      return .unparsable(reason: reason)
    case .type, .isNotification, .isNotNotification:
      return .unparsable(reason: reason)
    case .expiry, .issuedAt, .notBefore:
      return .unparsable(reason: reason)

    case .emptySignature, .algorithmUnsupported, .algorithmNotAllowed, .criticalHeader:
      return .signature(reason: reason)
    case .keyUnknown, .keyAmbiguous, .keyIDRequired, .keyAlgorithm:
      return .signature(reason: reason)
    case .keyUse, .keyRefused:
      // What the provider's own key set says, not the token.
      return .signature(reason: reason, detail: error.received.first ?? "")
    case .signature, .secretTooShort:
      return .signature(reason: reason)

    case .issuer:
      return .issuer(received: Self.shown(error.received.first ?? ""), expected: issuer)
    case .audience:
      return .audience(received: Self.audiences(error), expected: clientID)
    case .untrustedAudience:
      return .untrustedAudience(received: Self.audiences(error), expected: clientID)
    case .authorizedParty:
      // `aud` is accepted: `azp` is the client id that the configuration lacks.
      return .authorizedParty(
        received: Self.shown(error.received.first ?? ""), expected: clientID)
    case .subject:
      return .missingSubject(
        claims: Self.shown(error.verifiedClaims?.jsonText(sortedKeys: true) ?? "{}"))
    case .expired, .tooOld:
      return .stale(issuedAt: Self.shown(error.verifiedClaims?.jsonText("iat") ?? ""))
    case .issuedInFuture, .notYetValid:
      return .issuedInFuture(issuedAt: Self.shown(error.verifiedClaims?.jsonText("iat") ?? ""))
    case .lifetime:
      return .unparsable(reason: reason)

    case .nonceMissingInRequest:
      return .nonceMissingInRequest
    case .nonceMissingInToken:
      return .nonceMissingInToken
    case .nonceMismatch, .nonceNotHashed, .nonceLength:
      // RequestBinding converts these errors, with the request's nonce.
      return .nonceMismatch(received: "", raw: "", form: .other)
    case .accessTokenHash, .codeHash:
      return .otherToken
    }
  }

  private static func audiences(_ error: TokenError) -> [String] {
    (error.verifiedClaims?.strings("aud") ?? []).prefix(8).map(shown)
  }

  /// Limits a text that a response quotes to 2048 bytes.
  static func shown(_ text: String) -> String {
    guard text.utf8.count > 2048 else { return text }
    return String(decoding: text.utf8.prefix(2048), as: UTF8.self)
  }
}
