package import GatehouseProtocol
import GatehouseTokens

/// The values against which the ID tokens of one provider are checked. All of them are configured
/// or pinned.
struct IDTokenRules: Sendable {
  /// Accepted values of `iss`, byte for byte.
  let issuers: [String]
  /// Further accepted issuers, one per tenant (Microsoft).
  var tenants: TenantRule?
  let keys: KeySource
  let algorithms: Set<SignatureAlgorithm>
  var nonce = NonceRule()
  /// Whether an app's `access_token` may be the authorization code. Apps send Apple's code there,
  /// because Firebase's SDKs have no other parameter for it.
  var accessTokenMayBeCode = false
  /// Whether a token from the token endpoint may be signed with the client's secret (`HS256`).
  var acceptsClientSecret = false
  /// Whether a token from a sign-in in a browser may be presented again.
  var isReusableAfterBrowser = false

  init(issuers: [String], keys: KeySource, algorithms: Set<SignatureAlgorithm>) {
    self.issuers = issuers
    self.keys = keys
    self.algorithms = algorithms
  }
}

/// How an ID token was received, which decides who can have written it and to what it must be bound.
enum TokenOrigin: Sendable {
  /// An app obtained it and sent it to us.
  case app
  /// It came through the browser with the response to this server's authorization request.
  ///
  /// - `client`: The client of the request. A token for another client of the same configuration
  ///   belongs to another request.
  case browser(client: String, AuthenticationCheck?)
  /// The token endpoint returned it to this server, in exchange for a code. Only a token from there
  /// may be signed with the client's secret.
  ///
  /// The check is that of this server's authorization request. It is nil for a code that an app
  /// received: the app's request isn't known.
  case code(TokenAnswer, AuthenticationCheck?)
}

/// What an app sends to show which user signed in at the provider.
package struct IdPCredential: Sendable {
  package var idToken: Secret<String>?
  /// For Apple this may be the authorization code instead: Firebase's SDKs have no other parameter
  /// for it.
  package var accessToken: Secret<String>?
  package var authorizationCode: Secret<String>?
  /// The nonce before hashing; nil or empty if there is none.
  package var rawNonce: String?
  /// The name in Apple's `user` JSON, which Apple sends once and never in the token. The client may
  /// have written anything.
  package var userName: UserName?
  /// What Apple's sheet told the app, for a token without `real_user_status`. The client may have
  /// written anything.
  package var realUserStatus: RealUserStatus?

  package init(
    idToken: Secret<String>? = nil, accessToken: Secret<String>? = nil,
    authorizationCode: Secret<String>? = nil, rawNonce: String? = nil, userName: UserName? = nil
  ) {
    self.idToken = idToken
    self.accessToken = accessToken
    self.authorizationCode = authorizationCode
    self.rawNonce = rawNonce
    self.userName = userName
  }

  var hasIDToken: Bool { idToken?.reveal().isEmpty == false }
  var hasAccessToken: Bool { accessToken?.reveal().isEmpty == false }
}
