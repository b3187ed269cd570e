public import struct Foundation.Date
import GatehouseModel

/// Decides whether a token is what the holder of a registered key says of itself to us, now.
///
/// For what machines sign: custom tokens, and the assertions of OAuth's JWT bearer grant
/// (RFC 7523 §3). A type beside ``TokenVerifier`` because other rules hold: `sub` may be absent, an
/// hour is the longest that one lives, and `kid` chooses nothing.
///
/// Does **not** check single use; record ``VerifiedAssertion/signingInputSHA256`` where that counts.
public struct AssertionVerifier: Sendable {
  private let policy: TokenPolicy
  private let requiresSubject: Bool

  /// Service accounts' tokens live at most this long, from `iat` to `exp`.
  public static let maximumLifetimeSeconds = 3600

  /// - Parameters:
  ///   - issuer: Whose keys the token is verified with; `iss` is that, byte for byte.
  ///   - audiences: Our own names in `aud`, byte for byte.
  ///   - requiresSubject: Whether a token without `sub` is refused. One with it is about its issuer
  ///     or is refused: nobody speaks for another.
  public init(issuer: String, audiences: [String], requiresSubject: Bool) {
    var policy = TokenPolicy(issuers: [issuer], audiences: audiences, algorithms: [.rs256])
    policy.maximumLifetimeSeconds = Self.maximumLifetimeSeconds
    self.policy = policy
    self.requiresSubject = requiresSubject
  }

  /// Verifies a token with any of the issuer's keys.
  ///
  /// - Parameters:
  ///   - token: Taken apart, not verified.
  ///   - keys: All keys of the one issuer. `kid` is a hint at which to try first: what names a key
  ///     to us isn't what named it to its maker.
  /// - Throws: ``TokenError`` with the first refusal; nothing about a claim before the signature
  ///   was found good.
  public func verify(
    _ token: UnverifiedToken, keys: [VerificationKey], now: Date
  ) throws(TokenError) -> VerifiedAssertion {
    try checkAlgorithm(token.header, policy)
    try checkType(token.header, policy)
    let (jws, keyID) = try signature(of: token, keys: keys)
    do throws(TokenError) {
      let (issuedAt, expiresAt) = try check(token.claims, now: now)
      return VerifiedAssertion(
        jws: jws, claims: token.claims, keyID: keyID, issuedAt: issuedAt, expiresAt: expiresAt)
    } catch {
      throw error.with(verifiedClaims: token.claims)
    }
  }

  /// The claims of an assertion, whoever signed it.
  func check(
    _ claims: Claims, now: Date
  ) throws(TokenError) -> (issuedAt: Date, expiresAt: Date) {
    try checkIssuer(claims, policy)
    try checkAudience(claims, policy)
    try checkSubject(claims)
    let expiresAt = try checkExpiry(claims, policy, now: now)
    let issuedAt = try checkIssuedAt(claims, policy, now: now)
    try checkNotBefore(claims, policy, now: now)
    return (issuedAt, expiresAt)
  }

  private func checkSubject(_ claims: Claims) throws(TokenError) {
    guard claims.contains("sub") else {
      if requiresSubject { throw TokenError(.subject) }
      return
    }
    let subject = claims.string("sub")
    guard let subject, policy.issuers.containsBytes(of: subject) else {
      throw TokenError(
        .subject, expected: policy.issuers, received: subject.map { [$0] } ?? [])
    }
  }

  private func signature(
    of token: UnverifiedToken, keys: [VerificationKey]
  ) throws(TokenError) -> (VerifiedJWS, keyID: String?) {
    let fitting = keys.filter { $0.fits(token.header.algorithm) }
    if fitting.isEmpty { throw TokenError(.keyUnknown) }
    let hint = token.header.keyID ?? ""
    let named = fitting.filter { $0.keyID?.hasSameBytes(as: hint) ?? false }
    let others = fitting.filter { !($0.keyID?.hasSameBytes(as: hint) ?? false) }
    for key in named + others {
      if let jws = try? VerifiedJWS(token.jws, checkedWith: key) { return (jws, key.keyID) }
    }
    throw TokenError(.signature)
  }
}
