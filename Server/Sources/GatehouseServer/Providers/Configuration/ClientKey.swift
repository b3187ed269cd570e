package import GatehouseProtocol

/// The key with which this server authenticates to a provider, in place of a client secret:
/// `private_key_jwt` (OpenID Connect Core §9, RFC 7523 §2.2).
package struct ClientKey: Sendable {
  /// In PEM: PKCS #8, SEC 1 or PKCS #1; P-256, P-384, P-521, or RSA.
  package var privateKey: Secret<String>
  /// The key's id at the provider; if nil, its thumbprint (RFC 7638).
  package var keyID: String?
  /// An `alg` name of RFC 7518 §3.1; if nil, the key's usual algorithm.
  package var algorithm: String?
  package var audience: AssertionAudience

  package init(
    privateKey: Secret<String>, keyID: String? = nil, algorithm: String? = nil,
    audience: AssertionAudience = .issuer
  ) {
    self.privateKey = privateKey
    self.keyID = keyID
    self.algorithm = algorithm
    self.audience = audience
  }
}

/// The audience of a client assertion (`aud`). Administrators write the raw values.
package enum AssertionAudience: String, Hashable, Sendable, CaseIterable {
  /// Only the provider's issuer, which no document of a provider can change
  /// (draft-ietf-oauth-rfc7523bis §4, FAPI 2.0 §5.3.3.1).
  case issuer
  /// The token endpoint, as in RFC 7523 §3: for providers that refuse the issuer.
  case tokenEndpoint
}
