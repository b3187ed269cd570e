import GatehouseProtocol

extension VerifiedToken {
  /// Checks that `at_hash` is the hash of `accessToken` (OpenID Connect Core §3.1.3.6). Then the
  /// provider issued the access token together with this ID token.
  ///
  /// - Parameters:
  ///   - accessToken: The access token as it was received.
  ///   - isRequired: Whether a token without `at_hash` is refused. In the code flow the claim is
  ///     optional.
  /// - Throws: ``TokenError`` with ``TokenError/Code/accessTokenHash``.
  public func checkAccessTokenHash(
    _ accessToken: String, isRequired: Bool = false
  ) throws(TokenError) {
    try Self.checkHash(
      of: accessToken, claim: "at_hash", in: claims, hash: hash,
      isRequired: isRequired, code: .accessTokenHash)
  }

  /// Checks that `c_hash` is the hash of the authorization `code` (OpenID Connect Core §3.3.2.11).
  ///
  /// - Throws: ``TokenError`` with ``TokenError/Code/codeHash``.
  public func checkCodeHash(_ code: String, isRequired: Bool = false) throws(TokenError) {
    try Self.checkHash(
      of: code, claim: "c_hash", in: claims, hash: hash,
      isRequired: isRequired, code: .codeHash)
  }

  static func checkHash(
    of value: String, claim: String, in claims: Claims, hash: TokenHash,
    isRequired: Bool, code: TokenError.Code
  ) throws(TokenError) {
    guard claims.has(claim) || isRequired else { return }
    // "the left-most half of the hash of the octets of the ASCII representation", with the hash of
    // the header's alg; for Ed25519 that is SHA-512.
    let digest = hash.digest(of: Array(value.utf8))
    let expected = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    let received = claims.string(claim) ?? ""
    guard constantTimeEquals(Array(expected.utf8), Array(received.utf8)) else {
      throw TokenError(
        code, expected: [expected], received: [received], verifiedClaims: claims)
    }
  }
}
