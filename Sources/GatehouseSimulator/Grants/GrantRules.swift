/// How the codes and tokens of a kind of provider are. The defaults are those of a provider that goes
/// by OpenID Connect's book.
protocol GrantRules: Sendable {
  /// The `iss` of its ID tokens. A vendor keeps its own wherever the simulator is reached.
  func issuer(of provider: Provider, baseURL: String) -> String

  /// The scopes that it knows, in the order in which it writes them. Others are ignored, as OAuth 2.0
  /// allows (RFC 6749 §3.3).
  var scopes: [Scope] { get }

  /// How long a code can be exchanged, in seconds.
  var codeLifetime: Int { get }

  /// How long an access token lives, in seconds; nil if it lives as long as the consent.
  var accessTokenLifetime: Int? { get }

  /// How long an ID token lives, in seconds.
  var idTokenLifetime: Int { get }

  /// New codes and tokens, looking like the provider's own.
  func newCode() -> String
  func newAccessToken() -> String
  func newRefreshToken() -> String

  /// - Parameter isFirst: Whether the person agreed just now.
  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool

  /// A refusal in the provider's words.
  func error(for refusal: GrantRefusal) -> SimulatorError

  /// The client that holds the consent for `clientID`.
  func consentHolder(of clientID: String, in state: SimulatorState) -> String

  /// Whether there is an ID token although `openid` wasn't asked for.
  var alwaysGivesIDToken: Bool { get }

  /// Whether an ID token with an access token has its hash (`at_hash`).
  var hashesAccessTokens: Bool { get }

  /// The claims of an ID token that say who signed in. The rest is the same for all providers, but for
  /// an `iss`, `iat` or `exp` that is among them.
  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue]

  /// Whether the header of its tokens has a `typ`.
  var writesTokenType: Bool { get }

  /// The names of its sets of signing keys.
  var keyRings: [String] { get }

  /// The one of them that signs a token with these claims.
  func keyRing(for claims: [String: JSONValue]) -> String

  /// A public key as the provider publishes it.
  func published(_ key: [String: JSONValue], of ring: String) -> [String: JSONValue]
}

extension GrantRules {
  var codeLifetime: Int { 300 }
  var accessTokenLifetime: Int? { 3_600 }
  var idTokenLifetime: Int { 3_600 }

  func newCode() -> String { "code-\(RandomToken.base64(bytes: 24))" }
  func newAccessToken() -> String { "at-\(RandomToken.base64(bytes: 24))" }
  func newRefreshToken() -> String { "rt-\(RandomToken.base64(bytes: 24))" }

  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool {
    request.wantsRefreshToken
  }

  func error(for refusal: GrantRefusal) -> SimulatorError {
    .invalidGrant(refusal.plainDescription)
  }

  func consentHolder(of clientID: String, in state: SimulatorState) -> String { clientID }

  var alwaysGivesIDToken: Bool { false }
  var hashesAccessTokens: Bool { true }
  var writesTokenType: Bool { true }
  var keyRings: [String] { [""] }

  func keyRing(for claims: [String: JSONValue]) -> String { keyRings.first ?? "" }

  func published(_ key: [String: JSONValue], of ring: String) -> [String: JSONValue] { key }

  /// The known ones in a list with spaces between.
  func knownScopes(_ list: String?) -> Set<Scope> { Scope.parse(list).intersection(scopes) }

  /// The scopes as one text, in the provider's order.
  func text(_ granted: Set<Scope>) -> String {
    sorted(granted).map(\.rawValue).joined(separator: " ")
  }

  func sorted(_ granted: Set<Scope>) -> [Scope] { scopes.filter(granted.contains) }
}
