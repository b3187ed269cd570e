/// Why a provider's configuration isn't one. Each interface words it for its users.
package enum ProviderConfigurationFault: Error, Hashable, Sendable {
  case clientIDMissing
  /// Facebook's app ids are digits.
  case clientIDForm
  case issuerMissing
  /// Not an https URL without a fragment; plain http is for loopback in development.
  case issuerForm
  /// The code flow needs one, unless PKCE alone protects the client's codes.
  case secretMissing
  /// Declared public (RFC 6749 §2.1), and given a secret.
  case secretOfPublicClient
  /// Facebook says of no address that it verified it, so there is nothing to trust.
  case emailTrust
  case listTooLong(maximum: Int)
  case textTooLong(maximumBytes: Int)
}
