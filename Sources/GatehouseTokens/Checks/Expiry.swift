import struct Foundation.Date

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
