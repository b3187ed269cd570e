import GatehouseModel

import struct Foundation.Date

/// Holds a provider's word of how the user authenticated against what the app asked for: a provider
/// may ignore `max_age` and `acr_values`, and a user at the browser can take them away.
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
      // Connect Core §3.1.2.1). Its age counts from the request: the user may take minutes after.
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
