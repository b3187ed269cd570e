import GatehouseModel
import GatehouseTokens

/// What the ID tokens of one provider are checked against: all of it from configuration or pinned.
struct IDTokenRules: Sendable {
  /// Accepted values of `iss`, byte for byte.
  let issuers: [String]
  /// More of them, one per tenant (Microsoft).
  var tenants: TenantRule?
  let keys: KeySource
  let algorithms: Set<SignatureAlgorithm>
  var nonce = NonceRule()
  /// An app's `access_token` may be the authorization code instead: Apple's SDK has no other place for
  /// it.
  var accessTokenMayBeCode = false
  /// A token that answered a browser's request may be presented again.
  var isReusableAfterBrowser = false

  init(issuers: [String], keys: KeySource, algorithms: Set<SignatureAlgorithm>) {
    self.issuers = issuers
    self.keys = keys
    self.algorithms = algorithms
  }
}

/// How an ID token came here, which decides what it has to be bound to.
enum TokenOrigin: Sendable {
  /// An app got it for itself and handed it over.
  case app
  /// It answers a request of this server's, through a browser or for the code that a browser brought.
  ///
  /// - `client`: The one that asked. A token for another client of the same configuration answers
  ///   another request.
  case browser(client: String, AuthenticationCheck?)
  /// The provider gave it for a code that an app got: nothing of the app's request is known.
  case exchange(client: String)
}

/// A token that was verified and belongs to its request.
struct VerifiedIDToken: Sendable {
  let token: VerifiedToken
  /// What discovery told, for providers that have it.
  let metadata: ProviderMetadata?
  /// By which records it is used once.
  var use = ProofUse.unlimited
}
