import GatehouseModel

/// "The Issuer Identifier … MUST exactly match the value of the iss (issuer) Claim"
/// (OpenID Connect Core §3.1.3.7, 2). Exactly: no case folding, no trailing slash.
func checkIssuer(_ claims: Claims, _ policy: TokenPolicy) throws(TokenError) {
  let issuer = claims.string("iss")
  guard let issuer, policy.issuers.containsBytes(of: issuer) else {
    throw TokenError(.issuer, expected: policy.issuers, received: issuer.map { [$0] } ?? [])
  }
}
