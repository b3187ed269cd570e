import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// Binds a token to the request that asked for it, once.
struct NonceCheck: Sendable {
  let provider: ProviderID
  let rule: NonceRule
  let clockSkewSeconds: Int

  /// Checks the token's nonce against the request's; see
  /// `VerifiedToken.checkNonce(_:rule:)`.
  ///
  /// - Returns: By which records a nonce-bearing token is used once. To remember them is the caller's
  ///   part, in the transaction of the answer.
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
    let maximum = FederationOptions.maximumNonceTokenSeconds
    guard lifetime <= Double(maximum) else {
      // Both dates are between 1970 and 9999, so the difference fits.
      throw .nonceTokenLivesTooLong(seconds: Int(lifetime), maximum: maximum)
    }
    let expiresAt = token.expiresAt.addingTimeInterval(Double(clockSkewSeconds))
    let itself = SingleUseToken(digest: token.signingInputSHA256, expiresAt: expiresAt)
    // A nonce of the provider's SDK's own says nothing of the request: such a token is as one without,
    // and apps present it again after a link conflict. Not one that a request has used up.
    guard let raw, !raw.isEmpty else { return .repeatable(itself) }
    return .once(
      token: itself,
      nonce: SingleUseToken(digest: token.nonceUseSHA256(of: provider), expiresAt: expiresAt))
  }

  private static func federationError(_ error: TokenError, raw: String) -> FederationError {
    switch error.code {
    case .nonceMissingInRequest: .nonceMissingInRequest
    case .nonceMissingInToken: .nonceMissingInToken
    case .nonceLength: .nonceLength(bytes: raw.utf8.count)
    default:
      .nonceMismatch(
        received: TokenFailures.shown(error.received.first ?? ""), raw: raw,
        isRaw: error.code == .nonceNotHashed)
    }
  }
}
