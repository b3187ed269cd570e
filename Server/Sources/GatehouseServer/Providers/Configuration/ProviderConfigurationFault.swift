import GatehouseProtocol

/// What is wrong with a provider's configuration.
package enum ProviderConfigurationFault: Error, Hashable, Sendable {
  case clientIDMissing
  /// The client id doesn't have the vendor's form, which the associated text describes.
  case clientIDForm(String)
  case issuerMissing
  /// The issuer isn't an https URL without a fragment; plain http is allowed for loopback in
  /// development.
  case issuerForm
  /// The issuer is the URL of a discovery document.
  case issuerIsDocument
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
  /// Apple's key isn't a P-256 private key in PEM.
  case applePrivateKeyForm
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

extension ProviderConfigurationFault {
  /// One error for all faults, with the code of the first.
  static func refusal(_ faults: [ProviderConfigurationFault]) -> APIError? {
    faults.first.map { first in
      .invalidConfiguration(first.code, faults.map(\.text).joined(separator: " "))
    }
  }

  private var code: ErrorCode {
    switch self {
    case .clientIDMissing: .missingOAuthClientID
    case .issuerMissing: .missingIssuer
    case .issuerForm, .issuerIsDocument, .tenantForm: .invalidIssuer
    default: .invalidConfig
    }
  }

  /// Begins with Firebase's words where Firebase has the rule.
  package var text: String {
    switch self {
    case .clientIDMissing: "Client_id in OAuthIdpConfig cannot be empty."
    case .clientIDForm(let form): "\(form)."
    case .issuerMissing: "Issuer in OAuthIdpConfig cannot be empty."
    case .issuerForm:
      "Issuer in OAuthIdpConfig should be a valid URL. It has to be https, without a fragment."
    case .issuerIsDocument:
      "The issuer is what the provider's tokens have in iss, without /.well-known/openid-configuration. If its "
        + "discovery document is elsewhere, discoveryUrl names the place."
    case .discoveryURLForm: "discoveryUrl has to be an https URL without a fragment."
    case .scopeForm:
      "scopes has to be at most 32 scopes, each of 1 to 256 visible ASCII characters without "
        + #"" and \."#
    case .tenantForm:
      "The issuer has to be https://login.microsoftonline.com/<tenant>/v2.0, with common, "
        + "organizations, consumers or a tenant's id."
    case .secretMissing:
      "client_secret cannot be empty for code flow. A clientKey replaces it, and a publicClient has none: its "
        + "provider accepts PKCE instead."
    case .secretOfPublicClient: "A public client has no client_secret, and no clientKey."
    case .secretAndKey:
      "A client has a client_secret or a clientKey: clear the one that isn't used."
    case .applePrivateKeyForm:
      "privateKey has to be the P-256 private key that Apple issues as AuthKey_….p8, in PEM."
    case .clientKeyForm:
      "clientKey.privateKey has to be an unencrypted P-256, P-384, P-521 or RSA key "
        + "of 2048 bits or more, in PEM. `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` "
        + "creates one."
    case .clientKeyAlgorithm:
      "clientKey.algorithm does not fit the key. An EC key has ES256, ES384 or ES512, by its "
        + "curve; an RSA key has RS256, RS384, RS512, PS256, PS384 or PS512."
    case .clientKeyID: "clientKey.keyId has to be 1 to 256 visible ASCII characters."
    case .idTokenInQuery:
      "responseMode query is only for the code flow: an ID token must not be in a query."
    case .bothResponseTypes:
      "response_type should have exactly one of 'idToken' and 'code' being true. Setting both types to "
        + "be true ('{code: true, idToken: true}') is not yet supported."
    case .clientRepeated(let text):
      "\(text.prefix(100)) is in clients twice, or is the first clientId."
    case .parameterReserved(let name):
      "allowedParameters cannot contain \(name.prefix(100)): only the server may set it, "
        + "or it is not a parameter's name."
    case .openIDConnectOnly:
      "clientKey, clientAuthentication, clients, responseMode, claimMapping, discoveryUrl and "
        + "scopes are only for OpenID Connect providers."
    case .emailTrust(let reason): "trustEmail can only be never here: \(reason)."
    case .keptTokens(let reason): "keepRefreshToken cannot be true here: \(reason)."
    case .listTooLong(let maximum): "At most \(maximum) values in a list."
    case .textTooLong(let maximum): "At most \(maximum) bytes in a field."
    }
  }
}
