import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// Binds a token to the one request that asked for it.
struct NonceCheck: Sendable {
  /// The longest lifetime of a token with a nonce. The server records such a token until it
  /// expires.
  static let maximumTokenSeconds = 48 * 60 * 60

  let provider: ProviderID
  let rule: NonceRule
  let clockSkewSeconds: Int

  /// Compares the token's nonce with the request's; see `VerifiedToken.checkNonce(_:rule:)`.
  ///
  /// - Returns: The records that make a token with a nonce usable once. The caller must store
  ///   them in the transaction that acts on the token.
  func check(
    _ raw: String?, _ token: VerifiedToken
  ) throws(FederationError) -> ProofUse {
    do throws(TokenError) {
      try token.checkNonce(raw, rule: rule)
    } catch {
      throw Self.federationError(error, raw: raw ?? "")
    }
    guard token.hasNonce else { return .unlimited }
    let lifetime = token.expiresAt.timeIntervalSince(token.issuedAt)
    let maximum = Self.maximumTokenSeconds
    guard lifetime <= Double(maximum) else {
      // Both dates are between 1970 and 9999, so the difference fits.
      throw .nonceTokenLivesTooLong(seconds: Int(lifetime), maximum: maximum)
    }
    let end = token.expiresAt.addingTimeInterval(Double(clockSkewSeconds))
    let itself = SingleUseToken(digest: token.signingInputSHA256, acceptedUntil: end)
    // A nonce that the provider's SDK chose doesn't bind the token to a request. Like a token
    // without a nonce, this token may be presented again, as apps do after a link conflict. It is
    // rejected only if a request with its nonce has spent it.
    guard let raw, !raw.isEmpty else { return .repeatable(itself) }
    return .once(
      token: itself,
      nonce: SingleUseToken(digest: token.nonceUseSHA256(of: provider), acceptedUntil: end))
  }

  private static func federationError(_ error: TokenError, raw: String) -> FederationError {
    switch error.code {
    case .nonceMissingInRequest: .nonceMissingInRequest
    case .nonceMissingInToken: .nonceMissingInToken
    case .nonceLength: .nonceLength(bytes: raw.utf8.count)
    default:
      .nonceMismatch(
        received: TokenFailures.shown(error.received.first ?? ""), raw: raw,
        form: error.code == .nonceNotHashed ? .sameText : form(of: error))
    }
  }

  private static func form(of error: TokenError) -> NonceForm {
    guard let received = error.received.first, let expected = error.expected.first else {
      return .other
    }
    if received.lowercased().utf8.elementsEqual(expected.utf8) { return .upperCase }
    return AnyBase64.decode(received)?.lowercaseHex.utf8.elementsEqual(expected.utf8) == true
      ? .base64 : .other
  }
}
