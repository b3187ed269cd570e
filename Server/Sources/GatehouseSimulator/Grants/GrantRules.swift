/// The rules for codes and tokens of a kind of provider. The defaults are those of OpenID Connect.
protocol GrantRules: Sendable {
  /// The `iss` of its ID tokens. A vendor's issuer doesn't depend on the simulator's address.
  func issuer(of provider: Provider, baseURL: String) -> String

  /// The scopes that it supports, in the order in which it writes them. Others are ignored, as
  /// OAuth 2.0 allows (RFC 6749 §3.3).
  var scopes: [Scope] { get }

  /// How long a code can be exchanged, in seconds.
  var codeLifetime: Int { get }

  /// How long an access token is valid, in seconds; nil if it is valid as long as the consent.
  var accessTokenLifetime: Int? { get }

  /// How long an ID token is valid, in seconds.
  var idTokenLifetime: Int { get }

  /// New codes and tokens, in the provider's format.
  func newCode() -> String
  func newAccessToken() -> String
  func newRefreshToken() -> String

  /// - Parameter isFirst: Whether the person has just given the consent.
  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool

  /// The provider's error for a rejected code or token.
  func error(for refusal: GrantRefusal) -> SimulatorError

  /// The client that holds the consent for `clientID`.
  func consentHolder(of clientID: String, in state: SimulatorState) -> String

  /// Whether there is an ID token also without the scope `openid`.
  var alwaysGivesIDToken: Bool { get }

  /// Whether an ID token that comes with an access token contains its hash (`at_hash`).
  var hashesAccessTokens: Bool { get }

  /// The claims of an ID token that say who signed in. The other claims are the same for all
  /// providers; an `iss`, `iat` or `exp` among these replaces the usual one.
  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue]

  /// Whether the header of its tokens has a `typ`.
  var writesTokenType: Bool { get }

  /// The names of its sets of signing keys.
  var keyRings: [String] { get }

  /// The set of signing keys for a token with these claims.
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

  /// The supported scopes of a space-separated list.
  func knownScopes(_ list: String?) -> Set<Scope> { Scope.parse(list).intersection(scopes) }

  /// The scopes as one text, in the provider's order.
  func text(_ granted: Set<Scope>) -> String {
    sorted(granted).map(\.rawValue).joined(separator: " ")
  }

  func sorted(_ granted: Set<Scope>) -> [Scope] { scopes.filter(granted.contains) }
}
