import Crypto
import GatehouseModel

/// What a provider's configuration says about nonces.
public struct NonceRule: Sendable, Hashable {
  /// Refuses a token without a nonce even if the request has none either.
  public var isRequired: Bool

  /// Accepts a request's nonce without one in the token, if the token says `nonce_supported: false`
  /// (Apple, on devices too old for it).
  public var acceptsUnsupported: Bool

  public init(isRequired: Bool = false, acceptsUnsupported: Bool = false) {
    self.isRequired = isRequired
    self.acceptsUnsupported = acceptsUnsupported
  }

  /// A raw nonce is this many bytes long.
  public static let rawBytes = 1...256
}

extension VerifiedToken {
  /// Checks that the token answers the request that made `raw`: its `nonce` must be the SHA-256 of
  /// `raw` in lower-case hex.
  ///
  /// A nonce on one side only is refused, on neither side accepted unless the rule requires one. Does
  /// not remember the nonce: single use is recorded by ``signingInputSHA256``.
  ///
  /// - Parameters:
  ///   - raw: The request's nonce before hashing; nil and empty are none.
  ///   - rule: What the provider's configuration says.
  /// - Throws: ``TokenError`` with ``TokenError/Code/nonceMissingInRequest``, `nonceMissingInToken`,
  ///   `nonceMismatch`, `nonceNotHashed` (the same text on both sides) or `nonceLength`.
  ///   `expected` is what the token should have held, `received` what it did.
  public func checkNonce(_ raw: String?, rule: NonceRule) throws(TokenError) {
    do throws(TokenError) {
      try Self.checkNonce(raw, claims: claims, rule: rule)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// For the explanation, which checks whether or not the token is good.
  static func checkNonce(_ raw: String?, claims: Claims, rule: NonceRule) throws(TokenError) {
    let isPresent = claims.contains("nonce")
    guard let raw, !raw.isEmpty else {
      guard !isPresent, !rule.isRequired else { throw TokenError(.nonceMissingInRequest) }
      return
    }
    guard NonceRule.rawBytes.contains(raw.utf8.count) else { throw TokenError(.nonceLength) }
    guard isPresent else {
      if rule.acceptsUnsupported, claims.boolOrText("nonce_supported") == false { return }
      throw TokenError(.nonceMissingInToken)
    }
    let expected = SHA256.hash(data: Array(raw.utf8)).lowercaseHex
    let received = claims.string("nonce") ?? ""
    guard constantTimeEquals(Array(expected.utf8), Array(received.utf8)) else {
      let isSameText = constantTimeEquals(Array(raw.utf8), Array(received.utf8))
      throw TokenError(
        isSameText ? .nonceNotHashed : .nonceMismatch, expected: [expected], received: [received])
    }
  }
}
