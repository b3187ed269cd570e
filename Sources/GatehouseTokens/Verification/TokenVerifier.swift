public import struct Foundation.Date

/// Verifies that a configured issuer issued a token to us, and that the token is valid now.
///
/// Does **not** check the nonce, `at_hash`, `c_hash` or single use: these checks need values from
/// the request. Call ``VerifiedToken/checkNonce(_:rule:)``,
/// ``VerifiedToken/checkAccessTokenHash(_:isRequired:)`` and
/// ``VerifiedToken/checkCodeHash(_:isRequired:)`` on the result, and record
/// ``VerifiedToken/signingInputSHA256`` where a token may be used only once.
public struct TokenVerifier: Sendable {
  public let policy: TokenPolicy

  public init(policy: TokenPolicy) { self.policy = policy }

  /// Verifies an ID token (OpenID Connect Core §3.1.3.7).
  ///
  /// The order has two reasons: cheap checks come first, and no error reports on a claim before the
  /// signature shows who wrote the claim. Issuer, audience and subject come before the times, so
  /// that a wrong configuration isn't reported as an expired token.
  ///
  /// - Parameters:
  ///   - token: The parsed token, not yet verified.
  ///   - keys: The keys of the configured issuer.
  ///   - now: The time that `exp`, `iat` and `nbf` are compared with.
  /// - Throws: ``TokenError`` for the first check that fails. Fetching the issuer's keys again can
  ///   help only if the code is ``TokenError/Code/keyUnknown``, or if the token names no key
  ///   (OpenID Connect Core §10.1) and the code is ``TokenError/Code/signature`` or
  ///   ``TokenError/Code/keyIDRequired``.
  public func verify(
    _ token: UnverifiedToken, keys: KeySet, now: Date
  ) throws(TokenError) -> VerifiedToken {
    let jws = try signature(of: token, keys: keys)
    return try verified(
      VerifiedToken.Authentication(
        payload: jws.payload, signingInputSHA256: jws.signingInputSHA256,
        hash: jws.header.algorithm.hash, keyIssuer: jws.keyIssuer),
      token.claims, now: now)
  }

  /// Verifies an ID token that the token endpoint signed with the client's secret: the same checks,
  /// with the secret in place of the keys.
  public func verify(
    _ token: UnverifiedSecretToken, secret: ClientSecretKey, now: Date
  ) throws(TokenError) -> VerifiedToken {
    try checkType(token.type, policy)
    return try verified(try secret.authenticate(token), token.claims, now: now)
  }

  private func verified(
    _ proof: VerifiedToken.Authentication, _ claims: Claims, now: Date
  ) throws(TokenError) -> VerifiedToken {
    do throws(TokenError) {
      try checkNotNotification(claims, policy)
      try checkIssuer(claims, policy, keyIssuer: proof.keyIssuer)
      try checkAudience(claims, policy)
      let subject = try checkSubject(claims, policy)
      let expiresAt = try checkExpiry(claims, policy, now: now)
      let issuedAt = try checkIssuedAt(claims, policy, now: now)
      try checkNotBefore(claims, policy, now: now)
      return VerifiedToken(
        proof, claims: claims, subject: subject, expiresAt: expiresAt, issuedAt: issuedAt)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// Verifies a notification (RFC 8417): a JWT with `events`. `sub` is not checked.
  ///
  /// `exp` is checked if it is present, although RFC 8417 §2.2 recommends not to use it. Set the
  /// policy's `maximumAgeSeconds` where old notifications must be refused.
  public func verifyNotification(
    _ token: UnverifiedToken, keys: KeySet, now: Date
  ) throws(TokenError) -> VerifiedNotification {
    let jws = try signature(of: token, keys: keys)
    let claims = token.claims
    do throws(TokenError) {
      try checkIsNotification(claims)
      try checkIssuer(claims, policy, keyIssuer: jws.keyIssuer)
      try checkAudience(claims, policy)
      if claims.has("exp") { _ = try checkExpiry(claims, policy, now: now) }
      let issuedAt = try checkIssuedAt(claims, policy, now: now)
      try checkNotBefore(claims, policy, now: now)
      return VerifiedNotification(jws: jws, claims: claims, issuedAt: issuedAt)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// Verifies a signed response of a userinfo endpoint (OpenID Connect Core §5.3.2). `iss` and `aud`
  /// "SHOULD" be present; those that are present are checked, like the times. The caller compares `sub` with
  /// the ID token's.
  ///
  /// The result isn't a ``VerifiedToken``, so that it can't sign a user in. In the other direction, an ID
  /// token with a nonce or a hash is refused.
  public func verifyUserInfo(
    _ token: UnverifiedToken, keys: KeySet, now: Date
  ) throws(TokenError) -> Claims {
    let jws = try signature(of: token, keys: keys)
    let claims = token.claims
    do throws(TokenError) {
      try checkNotNotification(claims, policy)
      guard !["nonce", "at_hash", "c_hash"].contains(where: claims.has) else {
        throw TokenError(.type)
      }
      if claims.contains("iss") { try checkIssuer(claims, policy, keyIssuer: jws.keyIssuer) }
      if claims.contains("aud") { try checkAudience(claims, policy) }
      if claims.contains("exp") { _ = try checkExpiry(claims, policy, now: now) }
      if claims.contains("iat") { _ = try checkIssuedAt(claims, policy, now: now) }
      try checkNotBefore(claims, policy, now: now)
      return claims
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// Checks the header, chooses the key and checks the signature.
  private func signature(
    of token: UnverifiedToken, keys: KeySet
  ) throws(TokenError) -> VerifiedJWS {
    try checkAlgorithm(token.header, policy)
    try checkType(token.header.type, policy)
    return try SignatureVerifier(keys: keys).verify(token.jws)
  }
}
