import GatehouseProtocol

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
