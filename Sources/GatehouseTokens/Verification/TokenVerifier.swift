public import struct Foundation.Date

/// Decides whether a token is an issuer's statement to us that holds now.
///
/// Does **not** check the nonce, `at_hash` or `c_hash`, nor single use: what they are compared with
/// belongs to the request. Call ``VerifiedToken/checkNonce(_:rule:)``,
/// ``VerifiedToken/checkAccessTokenHash(_:isRequired:)`` and
/// ``VerifiedToken/checkCodeHash(_:isRequired:)`` on the result, and record
/// ``VerifiedToken/signingInputSHA256`` where a token may be used only once.
public struct TokenVerifier: Sendable {
  public let policy: TokenPolicy

  public init(policy: TokenPolicy) { self.policy = policy }

  /// Verifies an ID token (OpenID Connect Core §3.1.3.7).
  ///
  /// The order is of cost and of what may be told: nothing about a claim is said before the
  /// signature shows who made it. Identity comes before time, so that a wrong configuration isn't
  /// reported as an expired token.
  ///
  /// - Parameters:
  ///   - token: Taken apart, not verified.
  ///   - keys: The keys of the configured issuer.
  ///   - now: The time that `exp`, `iat` and `nbf` are compared with.
  /// - Throws: ``TokenError`` with the first refusal. ``TokenError/Code/keyUnknown`` may be cured by
  ///   fetching the issuer's keys anew; nothing else is.
  public func verify(
    _ token: UnverifiedToken, keys: KeySet, now: Date
  ) throws(TokenError) -> VerifiedToken {
    let jws = try signature(of: token, keys: keys)
    let claims = token.claims
    do throws(TokenError) {
      try checkNotNotification(claims, policy)
      try checkIssuer(claims, policy, keyIssuer: jws.keyIssuer)
      try checkAudience(claims, policy)
      let subject = try checkSubject(claims)
      let expiresAt = try checkExpiry(claims, policy, now: now)
      let issuedAt = try checkIssuedAt(claims, policy, now: now)
      try checkNotBefore(claims, policy, now: now)
      return VerifiedToken(
        jws: jws, claims: claims, subject: subject, expiresAt: expiresAt, issuedAt: issuedAt)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// Verifies a notification (RFC 8417): a JWT with `events` and without a subject of its own.
  ///
  /// `exp` is checked where it is present; RFC 8417 §2.2 would rather have none. Give the policy a
  /// `maximumAgeSeconds` where old notifications must not count.
  public func verifyNotification(
    _ token: UnverifiedToken, keys: KeySet, now: Date
  ) throws(TokenError) -> VerifiedNotification {
    let jws = try signature(of: token, keys: keys)
    let claims = token.claims
    do throws(TokenError) {
      try checkIsNotification(claims)
      try checkIssuer(claims, policy, keyIssuer: jws.keyIssuer)
      try checkAudience(claims, policy)
      if claims.contains("exp") { _ = try checkExpiry(claims, policy, now: now) }
      let issuedAt = try checkIssuedAt(claims, policy, now: now)
      try checkNotBefore(claims, policy, now: now)
      return VerifiedNotification(jws: jws, claims: claims, issuedAt: issuedAt)
    } catch {
      throw error.with(verifiedClaims: claims)
    }
  }

  /// Header, key, signature.
  private func signature(
    of token: UnverifiedToken, keys: KeySet
  ) throws(TokenError) -> VerifiedJWS {
    try checkAlgorithm(token.header, policy)
    try checkType(token.header, policy)
    return try SignatureVerifier(keys: keys).verify(token.jws)
  }
}
