import Crypto
package import GatehouseModel

/// What a provider's configuration says about nonces.
public struct NonceRule: Sendable, Hashable {
  /// Refuses a token without a nonce even if the request has none either.
  public var isRequired: Bool

  /// Accepts a request's nonce without one in the token, if the token says `nonce_supported: false`
  /// (Apple, on devices too old for it).
  public var acceptsUnsupported: Bool

  /// Accepts a token with a nonce for a request without one: the provider's SDK puts in a nonce of
  /// its own, which the app cannot read (Google). Such a nonce binds the token to no request.
  public var acceptsOwnOfSDK: Bool

  /// Accepts the request's nonce itself in the token, besides its hash (Google, which passes on what
  /// an app gives it).
  public var acceptsUnhashed: Bool

  public init(
    isRequired: Bool = false, acceptsUnsupported: Bool = false, acceptsOwnOfSDK: Bool = false,
    acceptsUnhashed: Bool = false
  ) {
    self.isRequired = isRequired
    self.acceptsUnsupported = acceptsUnsupported
    self.acceptsOwnOfSDK = acceptsOwnOfSDK
    self.acceptsUnhashed = acceptsUnhashed
  }

  /// A raw nonce is this many bytes long.
  public static let rawBytes = 1...256
}

extension VerifiedToken {
  /// By what the use of this token's nonce is remembered: SHA-256 of who used which nonce.
  ///
  /// Two tokens have the same exactly if subject and nonce are the same for one provider: a nonce
  /// answers one request, so a fresh token with a nonce that was used is a replay of that request.
  ///
  /// - Parameter provider: As the project's configuration names it.
  package func nonceUseSHA256(of provider: ProviderID) -> [UInt8] {
    var hash = SHA256()
    // A signing input, of which other digests are, never begins so.
    for text in ["nonce", provider.text, subject, claims.string("nonce") ?? ""] {
      hash.update(data: Array("\(text.utf8.count):".utf8))
      hash.update(data: Array(text.utf8))
    }
    return Array(hash.finalize())
  }

  /// Checks that the token answers the request that made `raw`: its `nonce` must be the SHA-256 of
  /// `raw` in lower-case hex.
  ///
  /// A nonce on one side only is refused, on neither side accepted unless the rule requires one. The
  /// rule may allow more: see ``NonceRule``. Does not remember the nonce: single use is recorded by
  /// ``signingInputSHA256`` and, in the server, `nonceUseSHA256(of:)`.
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
      guard !isPresent || rule.acceptsOwnOfSDK, !rule.isRequired else {
        throw TokenError(.nonceMissingInRequest)
      }
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
      if isSameText, rule.acceptsUnhashed { return }
      throw TokenError(
        isSameText ? .nonceNotHashed : .nonceMismatch, expected: [expected], received: [received])
    }
  }
}
