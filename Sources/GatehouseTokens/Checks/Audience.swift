import GatehouseModel

/// Checks that the token was issued for one of the policy's audiences, and for no stranger beside.
///
/// An absent or empty `aud` is refused, though RFC 7519 §4.1.3 makes the claim optional: a token
/// for nobody in particular is not for us.
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
  let isVouchedFor = claims.contains("azp")
  guard isVouchedFor || received.allSatisfy({ accepted.containsBytes(of: $0) }) else {
    throw TokenError(.untrustedAudience, expected: accepted, received: received)
  }
}

/// "If an azp (authorized party) Claim is present, the Client SHOULD verify that its client_id is
/// the Claim Value" (§3.1.3.7, 5). We do.
private func checkAuthorizedParty(
  _ claims: Claims, _ policy: TokenPolicy
) throws(TokenError) {
  guard claims.contains("azp") else { return }
  let party = claims.string("azp")
  guard let party, policy.audiences.containsBytes(of: party) else {
    throw TokenError(
      .authorizedParty, expected: policy.audiences, received: party.map { [$0] } ?? [])
  }
}
