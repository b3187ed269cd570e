import GatehouseProtocol

import struct Foundation.Date

/// Checks that the user authenticated as the app requested with `max_age` and `acr_values` (OpenID
/// Connect Core §3.1.2.1).
///
/// The check is necessary because a provider may ignore both parameters, and a user can remove them
/// from the URL in the browser.
struct AuthenticationCheck: Sendable {
  let demand: AuthenticationDemand
  /// When the authorization request was created.
  let askedAt: Date

  /// - Parameters:
  ///   - authenticatedAt: The claim `auth_time`.
  ///   - contextClass: The claim `acr`.
  /// - Throws: ``FederationError/authenticationTooOld(maximumSeconds:)``,
  ///   ``FederationError/otherAuthenticationContext(received:)``.
  func check(
    authenticatedAt: Date?, contextClass: String?, clockSkewSeconds: Int = 0
  ) throws(FederationError) {
    if let maximum = demand.maximumAgeSeconds {
      // "When max_age is used, the ID Token returned MUST include an auth_time Claim Value" (OpenID
      // Connect Core §3.1.2.1). The age counts from the request and not from the response, because the
      // user may need minutes on the provider's page.
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
