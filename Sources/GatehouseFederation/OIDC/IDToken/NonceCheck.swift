import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// Binds a token to the request that asked for it, once.
struct NonceCheck: Sendable {
  let rule: NonceRule
  let clockSkewSeconds: Int

  /// Checks the token's nonce against the request's; see
  /// `VerifiedToken.checkNonce(_:rule:)`.
  ///
  /// - Returns: The record by which a nonce-bearing token is used once. To remember it is the
  ///   caller's part, in the transaction of the answer.
  func check(
    _ raw: String?, _ token: VerifiedToken
  ) throws(FederationError) -> SingleUseToken? {
    do throws(TokenError) {
      try token.checkNonce(raw, rule: rule)
    } catch {
      throw Self.federationError(error, raw: raw ?? "")
    }
    guard token.hasNonce else { return nil }
    let lifetime = token.expiresAt.timeIntervalSince(token.issuedAt)
    let maximum = FederationOptions.maximumNonceTokenSeconds
    guard lifetime <= Double(maximum) else {
      // Both dates are between 1970 and 9999, so the difference fits.
      throw .nonceTokenLivesTooLong(seconds: Int(lifetime), maximum: maximum)
    }
    return SingleUseToken(
      digest: token.signingInputSHA256,
      expiresAt: token.expiresAt.addingTimeInterval(Double(clockSkewSeconds)))
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
