import Crypto
public import GatehouseProtocol

/// What a provider's configuration says about nonces.
public struct NonceRule: Sendable, Hashable {
  /// Rejects every token if the request has no nonce, even a token without a nonce.
  public var isRequired: Bool

  /// Accepts a token without a nonce for a request with one, if the token says
  /// `nonce_supported: false` (Apple, on devices that are too old to support nonces).
  public var acceptsUnsupported: Bool

  /// Accepts a token with a nonce for a request without one: the provider's SDK adds a nonce that
  /// the app cannot read (Google). Such a nonce doesn't bind the token to a request.
  public var acceptsOwnOfSDK: Bool

  /// Accepts a token that contains the raw nonce instead of its hash (Google, which copies the
  /// app's value into the token).
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

  /// The accepted length of a raw nonce, in bytes.
  public static let rawBytes = 1...256
}

extension VerifiedToken {
  /// Identifies the use of this token's nonce: SHA-256 of the provider, the subject and the nonce.
  ///
  /// Two tokens have the same digest if and only if these three are the same. A nonce belongs to
  /// one request, so a new token with a used nonce is a replay of that request.
  ///
  /// - Parameter provider: The provider's id in the project's configuration.
  public func nonceUseSHA256(of provider: ProviderID) -> [UInt8] {
    var hash = SHA256()
    // No other text whose digest is recorded (signing inputs, codes, server's nonces) begins like this.
    for text in ["nonce", provider.text, subject, claims.string("nonce") ?? ""] {
      hash.update(data: Array("\(text.utf8.count):".utf8))
      hash.update(data: Array(text.utf8))
    }
    return Array(hash.finalize())
  }

  /// Checks that the token belongs to the request with the nonce `raw`: its `nonce` must be the
  /// SHA-256 of `raw` in lower-case hex.
  ///
  /// A nonce on only one side is refused. No nonce on either side is accepted unless the rule
  /// requires one. The rule may allow more: see ``NonceRule``. Does not record the nonce as used:
  /// for single use, record ``signingInputSHA256`` and, in the server, `nonceUseSHA256(of:)`.
  ///
  /// - Parameters:
  ///   - raw: The request's nonce before hashing. Nil and an empty text mean no nonce.
  ///   - rule: What the provider's configuration says.
  /// - Throws: ``TokenError`` with ``TokenError/Code/nonceMissingInRequest``, `nonceMissingInToken`,
  ///   `nonceMismatch`, `nonceNotHashed` (the same text on both sides) or `nonceLength`. With
  ///   `nonceMismatch` and `nonceNotHashed`, `expected` holds the nonce that the token should have,
  ///   and `received` the one that it has.
  public func checkNonce(_ raw: String?, rule: NonceRule) throws(TokenError) {
    do throws(TokenError) {
      try Self.checkNonce(raw, claims: claims, rule: rule)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// For ``TokenExplanation``, which also checks tokens that aren't verified.
  static func checkNonce(_ raw: String?, claims: Claims, rule: NonceRule) throws(TokenError) {
    let isPresent = claims.has("nonce")
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
