import GatehouseProtocol

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
