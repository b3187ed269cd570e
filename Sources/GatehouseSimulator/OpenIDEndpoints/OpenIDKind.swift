/// A kind of provider whose endpoints are those of OpenID Connect. The defaults are the book's.
protocol OpenIDKind: ProviderKind {
  var paths: OpenIDPaths { get }

  /// The scopes that discovery names.
  var advertisedScopes: [Scope] { get }

  /// Whether it meets the parameters `claims` and `acr_values`.
  var meetsRequestedClaims: Bool { get }

  /// Whether discovery says that authorization answers name their issuer (RFC 9207 §3). They do
  /// either way.
  var announcesIssuerOfAnswers: Bool { get }

  /// What its authorization answers have besides the standard's parameters.
  func answerFields(_ approval: Approval) -> [(name: String, value: String)]

  /// The code of a `redirect_uri` that isn't the client's.
  var redirectURIMismatch: String { get }

  func userInfoClaims(_ approved: ApprovedGrant) -> [String: JSONValue]

  /// The error of a UserInfo request whose token isn't good.
  var userInfoRefusal: String { get }

  /// Whether anybody may revoke a token: no client is asked for, the query will do, and a token that
  /// isn't known is an error.
  var hasOpenRevocation: Bool { get }

  /// The nonce that its SDK puts into a request where the app gives none; nil if it doesn't.
  func nonceOfSDK() -> String?

  /// Whether its SDK gets a code only where the app names its server.
  var givesCodesToNamedServersOnly: Bool { get }
}

extension OpenIDKind {
  var scopes: [Scope] { Scope.standard }
  var advertisedScopes: [Scope] { scopes }
  var meetsRequestedClaims: Bool { true }
  var announcesIssuerOfAnswers: Bool { true }
  func answerFields(_ approval: Approval) -> [(name: String, value: String)] { [] }
  var redirectURIMismatch: String { "invalid_request" }
  var userInfoRefusal: String { "invalid_token" }
  var hasOpenRevocation: Bool { false }
  func nonceOfSDK() -> String? { nil }
  var givesCodesToNamedServersOnly: Bool { false }
}
