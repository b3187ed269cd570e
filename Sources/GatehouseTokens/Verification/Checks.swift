import GatehouseProtocol
import struct Foundation.Date

/// The algorithm must be one that is configured (RFC 8725 §3.1).
func checkAlgorithm(_ header: TokenHeader, _ policy: TokenPolicy) throws(TokenError) {
  guard policy.algorithms.contains(header.algorithm) else {
    throw TokenError(
      .algorithmNotAllowed, expected: policy.algorithms.map(\.rawValue).sorted(),
      received: [header.algorithm.rawValue])
  }
}

/// Checks that `typ` is one of the policy's types, or absent if the policy doesn't require it
/// (RFC 8725 §3.11: mutually exclusive kinds of JWT).
func checkType(_ type: String?, _ policy: TokenPolicy) throws(TokenError) {
  guard let type else {
    if policy.requiresType { throw TokenError(.type, expected: policy.types) }
    return
  }
  guard policy.types.contains(where: { isSameMediaType($0, type) }) else {
    throw TokenError(.type, expected: policy.types, received: [type])
  }
}

/// "Media type names are case insensitive". They are ASCII, so only A–Z is folded.
///
/// "A recipient using the media type value MUST treat it as if "application/" were prepended to any
/// "typ" value not containing a '/'" (RFC 7515 §4.1.9): `application/jwt` is `JWT`.
private func isSameMediaType(_ left: String, _ right: String) -> Bool {
  func name(_ type: String) -> [UInt8] {
    (type.utf8.contains(UInt8(ascii: "/")) ? Array(type.utf8) : Array("application/\(type)".utf8))
      .map(\.asciiLowercased)
  }
  return name(left) == name(right)
}

/// A token with `events` is a notification, not an ID token.
///
/// Both are signed with the same keys for the same audience. RFC 8417 §4.5 warns that nothing else
/// might distinguish them.
func checkNotNotification(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) {
  guard policy.allowsEventsClaim || !claims.contains("events") else {
    throw TokenError(.isNotification)
  }
}

/// A token without `events` is not a notification.
func checkIsNotification(_ claims: Claims) throws(TokenError) {
  guard claims.contains("events") else { throw TokenError(.isNotNotification) }
}

/// "The Issuer Identifier … MUST exactly match the value of the iss (issuer) Claim"
/// (OpenID Connect Core §3.1.3.7, 2). Exactly: no case folding, no trailing slash.
///
/// - Parameter keyIssuer: `issuer` of the key that verified the signature, for vendors that say for
///   which issuer a key may sign. Used only with a ``TenantRule``.
func checkIssuer(
  _ claims: Claims, _ policy: TokenPolicy, keyIssuer: String? = nil
) throws(TokenError) {
  let issuer = claims.string("iss")
  if let issuer {
    if policy.issuers.containsBytes(of: issuer) { return }
    if let rule = policy.tenants, let tenant = claims.string("tid"),
      rule.issuer(ofTenant: tenant)?.hasSameBytes(as: issuer) == true,
      keyIssuer.map({ rule.isKey(of: $0, for: issuer, tenant: tenant) }) ?? true
    {
      return
    }
  }
  throw TokenError(
    .issuer, expected: policy.issuers + [policy.tenants?.configured].compactMap(\.self),
    received: issuer.map { [$0] } ?? [])
}

/// Checks that `aud` contains one of the policy's audiences, and no untrusted one unless `azp` is
/// ours.
///
/// An absent or empty `aud` is refused, although RFC 7519 §4.1.3 makes the claim optional: such a
/// token doesn't say that it is for us.
func checkAudience(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) {
  let received = claims.strings("aud") ?? []
  // "The ID Token MUST be rejected if the ID Token does not list the Client as a valid audience,
  // or if it contains additional audiences not trusted by the Client" (OpenID Connect Core
  // §3.1.3.7, 3).
  guard received.contains(where: { policy.audiences.containsBytes(of: $0) }) else {
    throw TokenError(.audience, expected: policy.audiences, received: received)
  }
  try checkAuthorizedParty(claims, policy)
  let accepted = policy.audiences + policy.trustedAudiences
  let isVouchedFor = claims.has("azp")
  guard isVouchedFor || received.allSatisfy({ accepted.containsBytes(of: $0) }) else {
    throw TokenError(.untrustedAudience, expected: accepted, received: received)
  }
}

/// "If an azp (authorized party) Claim is present, the Client SHOULD verify that its client_id is
/// the Claim Value" (§3.1.3.7, 5). We do.
private func checkAuthorizedParty(
  _ claims: Claims, _ policy: TokenPolicy
) throws(TokenError) {
  guard claims.has("azp") else { return }
  let party = claims.string("azp")
  guard let party, policy.audiences.containsBytes(of: party) else {
    throw TokenError(
      .authorizedParty, expected: policy.audiences, received: party.map { [$0] } ?? [])
  }
}

/// Checks that `sub` is not longer than the policy allows, and has at least one byte and no NUL, at which
/// some stores end a string. Returns it.
func checkSubject(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) -> String {
  guard let subject = claims.string("sub"), !subject.isEmpty,
    subject.utf8.count <= policy.maximumSubjectBytes, !subject.utf8.contains(0)
  else { throw TokenError(.subject) }
  return subject
}

/// "The current date/time MUST be before the expiration date/time listed in the exp claim", plus
/// the skew (RFC 7519 §4.1.4). Here the claim is required.
///
/// With a skew of 60, a token is accepted 59 seconds after `exp` and refused 60 seconds after it.
func checkExpiry(
  _ claims: Claims, _ policy: TokenPolicy, now: Date
) throws(TokenError) -> Date {
  guard let expiry = claims.numericDate("exp") else { throw TokenError(.expiry) }
  guard now.timeIntervalSince1970 < expiry + Double(policy.clockSkewSeconds) else {
    throw TokenError(
      .expired, expected: [seconds(now)], received: [seconds(expiry)])
  }
  if let maximum = policy.maximumLifetimeSeconds, let issuedAt = claims.numericDate("iat") {
    guard expiry - issuedAt <= Double(maximum) else {
      throw TokenError(
        .lifetime, expected: [String(maximum)], received: [seconds(expiry - issuedAt)])
    }
  }
  return Date(timeIntervalSince1970: expiry)
}

/// Checks that `iat` is present, not in the future by more than the skew, and not older than the
/// policy's maximum age plus the skew.
///
/// With a skew of 60, an `iat` 60 seconds in the future is accepted. One second more is refused.
func checkIssuedAt(
  _ claims: Claims, _ policy: TokenPolicy, now: Date
) throws(TokenError) -> Date {
  guard let issuedAt = claims.numericDate("iat") else { throw TokenError(.issuedAt) }
  let skew = Double(policy.clockSkewSeconds)
  guard issuedAt <= now.timeIntervalSince1970 + skew else {
    throw TokenError(.issuedInFuture, expected: [seconds(now)], received: [seconds(issuedAt)])
  }
  if let maximum = policy.maximumAgeSeconds {
    guard now.timeIntervalSince1970 - issuedAt <= Double(maximum) + skew else {
      throw TokenError(.tooOld, expected: [seconds(now)], received: [seconds(issuedAt)])
    }
  }
  return Date(timeIntervalSince1970: issuedAt)
}

/// "The current date/time MUST be after or equal to the not-before date/time" (RFC 7519 §4.1.5),
/// minus the skew, if the claim is present.
func checkNotBefore(_ claims: Claims, _ policy: TokenPolicy, now: Date) throws(TokenError) {
  guard claims.has("nbf") else { return }
  guard let notBefore = claims.numericDate("nbf") else { throw TokenError(.notBefore) }
  guard notBefore <= now.timeIntervalSince1970 + Double(policy.clockSkewSeconds) else {
    throw TokenError(.notYetValid, expected: [seconds(now)], received: [seconds(notBefore)])
  }
}
