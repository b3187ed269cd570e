import struct Foundation.Date

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
