/// With what this server proves to a provider which client it is, in place of a client secret:
/// `private_key_jwt` (OpenID Connect Core §9, RFC 7523 §2.2).
public struct ClientKey: Sendable {
  /// In PEM: PKCS #8, SEC 1 or PKCS #1; P-256, P-384, P-521, or RSA.
  public var privateKey: Secret<String>
  /// What the provider knows the key by; nil: its thumbprint (RFC 7638).
  public var keyID: String?
  /// A name of RFC 7518 §3.1; nil: the key's usual one.
  public var algorithm: String?
  public var audience: AssertionAudience

  public init(
    privateKey: Secret<String>, keyID: String? = nil, algorithm: String? = nil,
    audience: AssertionAudience = .issuer
  ) {
    self.privateKey = privateKey
    self.keyID = keyID
    self.algorithm = algorithm
    self.audience = audience
  }
}

/// Whom an assertion says that it is for. Raw values as administrators write them.
public enum AssertionAudience: String, Hashable, Sendable, CaseIterable {
  /// The provider's issuer, and nothing else: what no document of a provider's can change
  /// (draft-ietf-oauth-rfc7523bis §4, FAPI 2.0 §5.3.3.1).
  case issuer
  /// The token endpoint, as RFC 7523 §3 has it: for providers that refuse the issuer.
  case tokenEndpoint
}
