import GatehouseProtocol
public import struct Foundation.Date

/// Verifies tokens that a machine signs about itself with a key that is registered with us: custom
/// tokens, and the assertions of OAuth's JWT bearer grant (RFC 7523 §3).
///
/// The rules differ from those of ``TokenVerifier``: `sub` may be optional, the lifetime is at most
/// an hour, and `kid` is only a hint.
///
/// Does **not** check single use. Record ``VerifiedAssertion/signingInputSHA256`` where an
/// assertion may be used only once.
public struct AssertionVerifier: Sendable {
  private let policy: TokenPolicy
  private let requiresSubject: Bool

  /// The longest lifetime of a service account's token, from `iat` to `exp`, in seconds.
  public static let maximumLifetimeSeconds = 3600

  /// - Parameters:
  ///   - issuer: The issuer that owns the keys. `iss` must equal it, byte for byte.
  ///   - audiences: Our names in `aud`, compared byte for byte.
  ///   - requiresSubject: Whether a token without `sub` is refused. A `sub` that differs from the
  ///     issuer is always refused: an issuer makes statements only about itself.
  public init(issuer: String, audiences: [String], requiresSubject: Bool) {
    var policy = TokenPolicy(issuers: [issuer], audiences: audiences, algorithms: [.rs256])
    policy.maximumLifetimeSeconds = Self.maximumLifetimeSeconds
    self.policy = policy
    self.requiresSubject = requiresSubject
  }

  /// Verifies a token with any of the issuer's keys.
  ///
  /// - Parameters:
  ///   - token: The parsed token, not yet verified.
  ///   - keys: All keys of the issuer. A key with the id `kid` is tried first, then the others: the
  ///     id under which we store a key can differ from the one that its owner uses.
  /// - Throws: ``TokenError`` for the first check that fails. No error reports on a claim before
  ///   the signature is verified.
  public func verify(
    _ token: UnverifiedToken, keys: [VerificationKey], now: Date
  ) throws(TokenError) -> VerifiedAssertion {
    try checkAlgorithm(token.header, policy)
    try checkType(token.header.type, policy)
    let (jws, keyID) = try signature(of: token, keys: keys)
    do throws(TokenError) {
      let (issuedAt, expiresAt) = try check(token.claims, now: now)
      return VerifiedAssertion(
        jws: jws, claims: token.claims, keyID: keyID, issuedAt: issuedAt, expiresAt: expiresAt)
    } catch {
      throw error.with(verifiedClaims: token.claims)
    }
  }

  /// Checks only the claims of an assertion, not its signature.
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

/// An assertion that ``AssertionVerifier`` verified: signed by the issuer's registered key, for us,
/// and valid at the given time. Only the verifier creates it.
public struct VerifiedAssertion: Sendable {
  public let claims: Claims

  /// The id of the key that verified it; `kid` may differ.
  public let keyID: String?

  /// SHA-256 of the bytes before the second dot, 32 bytes. Record it where an assertion may be used
  /// only once.
  public let signingInputSHA256: [UInt8]
  public let issuedAt: Date
  public let expiresAt: Date

  init(jws: VerifiedJWS, claims: Claims, keyID: String?, issuedAt: Date, expiresAt: Date) {
    signingInputSHA256 = jws.signingInputSHA256
    self.claims = claims
    self.keyID = keyID
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// `iss`, which equals the verifier's issuer.
  public var issuer: String { claims.string("iss") ?? "" }
}
