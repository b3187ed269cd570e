/// Why a provider's configuration isn't one. Each interface words it for its users.
package enum ProviderConfigurationFault: Error, Hashable, Sendable {
  case clientIDMissing
  /// Not of the vendor's form, which the sentence names.
  case clientIDForm(String)
  case issuerMissing
  /// Not an https URL without a fragment; plain http is for loopback in development.
  case issuerForm
  /// Microsoft's issuer names none of `common`, `organizations`, `consumers` and a tenant's id.
  case tenantForm
  /// The code flow needs one, unless PKCE alone protects the client's codes.
  case secretMissing
  /// Declared public (RFC 6749 §2.1), and given a secret or a key.
  case secretOfPublicClient
  /// A client proves itself in one way (RFC 6749 §2.3).
  case secretAndKey
  /// No unencrypted private key in PEM, or none of a kind that is taken.
  case clientKeyForm
  /// No algorithm of the key's.
  case clientKeyAlgorithm
  /// The key's id is empty, or has more than 256 bytes or other than visible ASCII.
  case clientKeyID
  /// An ID token must not come in a query (OAuth 2.0 Multiple Response Types §3).
  case idTokenInQuery
  /// A browser brings back a code or an ID token.
  case bothResponseTypes
  /// Two clients have the same id, or one app has two clients.
  case clientRepeated(String)
  /// A parameter that is the server's to set, or no parameter's name.
  case parameterReserved(String)
  /// A setting of OpenID Connect providers alone.
  case openIDConnectOnly
  /// The provider's addresses can't be trusted, for the reason that the sentence names.
  case emailTrust(String)
  case listTooLong(maximum: Int)
  case textTooLong(maximumBytes: Int)
}
