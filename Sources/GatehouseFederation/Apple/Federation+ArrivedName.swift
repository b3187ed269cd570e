package import GatehouseModel
import GatehouseTokens

package import struct Foundation.Date

extension Federation {
  /// Who the name in a browser's answer belongs to, before its code is redeemed.
  ///
  /// Apple sends the name once, in the form, and says of the code's subject nothing: the ID token that
  /// comes in the same form does. It is checked as any that a browser brings, with the nonce of this
  /// request.
  ///
  /// - Returns: Nil where the provider isn't Apple or the name is empty.
  /// - Throws: ``FederationError``: what is wrong with the token, or that Apple's keys can't be had.
  package func owner(
    ofName name: IdPCredential.UserName, idToken: Secret<String>, rawNonce: String,
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ArrivedName? {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    let profile = AppleProvider.profile(name)
    guard case .apple = rules.kind, let displayName = profile.displayName else { return nil }
    let (verified, _) = try await verifyBound(
      idToken, rawNonce: rawNonce, rules, configuration, audience: configuration.clientID, now: now)
    guard let subject = Subject(verified.token.subject) else {
      throw .missingSubject(claims: "{}")
    }
    return ArrivedName(
      provider: configuration.id, subject: subject, displayName: displayName,
      firstName: profile.firstName, lastName: profile.lastName)
  }
}
