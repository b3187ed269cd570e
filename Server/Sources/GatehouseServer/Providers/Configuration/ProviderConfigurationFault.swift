/// What is wrong with a provider's configuration. Each interface has its own texts for its users.
package enum ProviderConfigurationFault: Error, Hashable, Sendable {
  case clientIDMissing
  /// The client id doesn't have the vendor's form, which the associated text describes.
  case clientIDForm(String)
  case issuerMissing
  /// The issuer isn't an https URL without a fragment; plain http is allowed for loopback in
  /// development.
  case issuerForm
  /// The discovery URL isn't an https URL without a fragment; plain http as for the issuer.
  case discoveryURLForm
  /// There are too many scopes, or a text isn't a scope (RFC 6749 §3.3).
  case scopeForm
  /// Microsoft's issuer must contain `common`, `organizations`, `consumers` or a tenant's id.
  case tenantForm
  /// The code flow requires a secret or a key, unless the client is public.
  case secretMissing
  /// The client is declared public (RFC 6749 §2.1), but has a secret or a key.
  case secretOfPublicClient
  /// A client must use only one authentication method (RFC 6749 §2.3).
  case secretAndKey
  /// The key isn't an unencrypted private key in PEM of an accepted kind.
  case clientKeyForm
  /// The algorithm doesn't fit the key.
  case clientKeyAlgorithm
  /// The key id is empty, has more than 256 bytes, or contains other characters than visible ASCII.
  case clientKeyID
  /// An ID token must not come in a query (OAuth 2.0 Multiple Response Types §3).
  case idTokenInQuery
  /// Both a code and an ID token are configured as the response, but a request asks for only one.
  case bothResponseTypes
  /// Two clients have the same id, or one app has two clients.
  case clientRepeated(String)
  /// Only the server sets the parameter, or the text isn't a parameter's name.
  case parameterReserved(String)
  /// The setting is for OpenID Connect providers only.
  case openIDConnectOnly
  /// The provider's emails can't be trusted, for the reason in the associated text.
  case emailTrust(String)
  /// The provider's refresh tokens can't be kept, for the reason in the associated text.
  case keptTokens(String)
  case listTooLong(maximum: Int)
  case textTooLong(maximumBytes: Int)
}
