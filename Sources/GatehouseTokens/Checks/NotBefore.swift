import struct Foundation.Date

/// "The current date/time MUST be after or equal to the not-before date/time" (RFC 7519 §4.1.5),
/// minus the skew, if the claim is present.
func checkNotBefore(_ claims: Claims, _ policy: TokenPolicy, now: Date) throws(TokenError) {
  guard claims.has("nbf") else { return }
  guard let notBefore = claims.numericDate("nbf") else { throw TokenError(.notBefore) }
  guard notBefore <= now.timeIntervalSince1970 + Double(policy.clockSkewSeconds) else {
    throw TokenError(.notYetValid, expected: [seconds(now)], received: [seconds(notBefore)])
  }
}
