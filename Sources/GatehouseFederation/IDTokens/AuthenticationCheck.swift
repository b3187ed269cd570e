import GatehouseModel

import struct Foundation.Date

/// Compares a provider's statement of how the user authenticated with what the app asked for: a
/// provider may ignore `max_age` and `acr_values`, and a user can remove them in the browser.
struct AuthenticationCheck: Sendable {
  let demand: AuthenticationDemand
  let askedAt: Date

  /// - Throws: ``FederationError/authenticationTooOld(maximumSeconds:)``,
  ///   ``FederationError/otherAuthenticationContext(received:)``.
  func check(
    authenticatedAt: Date?, contextClass: String?, clockSkewSeconds: Int = 0
  ) throws(FederationError) {
    if let maximum = demand.maximumAgeSeconds {
      // "When max_age is used, the ID Token returned MUST include an auth_time Claim Value" (OpenID
      // Connect Core §3.1.2.1). The age is counted at the time of the request: the user may need
      // minutes after it.
      let earliest = askedAt.addingTimeInterval(-Double(maximum + clockSkewSeconds))
      guard let authenticatedAt, authenticatedAt >= earliest else {
        throw .authenticationTooOld(maximumSeconds: maximum)
      }
    }
    guard
      demand.contextClasses.isEmpty || demand.contextClasses.containsBytes(of: contextClass ?? "")
    else { throw .otherAuthenticationContext(received: TokenFailures.shown(contextClass ?? "")) }
  }
}
