import struct Foundation.Date

/// `iat` is required, not in the future beyond the skew, and no older than the policy allows.
///
/// With a skew of 60, an `iat` 60 seconds ahead is accepted and one 61 ahead refused.
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
