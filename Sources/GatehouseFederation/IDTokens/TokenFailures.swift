import GatehouseModel
import GatehouseTokens

/// Words a token's refusal for the client: the one place where token codes become ours.
struct TokenFailures: Sendable {
  /// The configured issuer that answers name.
  let issuer: String
  /// The configured client id that answers name.
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
    case .keyUnknown, .keyAmbiguous, .keyIDRequired, .keyAlgorithm, .keyUse, .keyRefused:
      return .signature(reason: reason)
    case .signature:
      return .signature(reason: reason)

    case .issuer:
      return .issuer(received: Self.shown(error.received.first ?? ""), expected: issuer)
    case .audience, .untrustedAudience, .authorizedParty:
      let received = error.verifiedClaims?.strings("aud") ?? []
      return .audience(received: received.prefix(8).map(Self.shown), expected: clientID)
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
      // These need the request's nonce: see ``NonceCheck``.
      return .nonceMismatch(received: "", raw: "", isRaw: error.code == .nonceNotHashed)
    case .accessTokenHash, .codeHash:
      return .otherToken
    }
  }

  /// A bound on what an answer quotes: 2048 bytes, cut between characters.
  static func shown(_ text: String) -> String {
    guard text.utf8.count > 2048 else { return text }
    return String(decoding: text.utf8.prefix(2048), as: UTF8.self)
  }
}
