/// A kind of provider with OpenID Connect's endpoints. The defaults follow the standard.
protocol OpenIDKind: ProviderKind {
  var paths: OpenIDPaths { get }

  /// - Throws: `invalid_scope` if the provider rejects one of the requested scopes. Without an
  ///   error, scopes that it does not support are ignored.
  func checkScopes(_ requested: Set<Scope>) throws(SimulatorError)

  /// Whether it supports the parameters `claims` and `acr_values`.
  var meetsRequestedClaims: Bool { get }

  /// Whether the discovery document announces the `iss` of authorization responses (RFC 9207 §3).
  /// The responses contain it in both cases.
  var announcesIssuerOfAnswers: Bool { get }

  /// The parameters of its authorization responses besides the standard's.
  func answerFields(_ approval: Approval) -> [(name: String, value: String)]

  /// The error code for a `redirect_uri` that isn't registered for the client.
  var redirectURIMismatch: String { get }

  func userInfoClaims(_ approved: ApprovedGrant) -> [String: JSONValue]

  /// The error code of a UserInfo request with an invalid token.
  var userInfoRefusal: String { get }

  /// Whether revocation needs no client authentication. Then the token may also be in the query,
  /// and an unknown token is an error.
  var hasOpenRevocation: Bool { get }

  /// The nonce that the provider's SDK adds to a request if the app gives none; nil if the SDK adds none.
  func nonceOfSDK() -> String?

  /// Whether the provider's SDK gets a code only if the app gives it the client id of a server.
  var givesCodesToNamedServersOnly: Bool { get }
}

extension OpenIDKind {
  var scopes: [Scope] { Scope.standard }
  func checkScopes(_ requested: Set<Scope>) throws(SimulatorError) {}
  var meetsRequestedClaims: Bool { true }
  var announcesIssuerOfAnswers: Bool { true }
  func answerFields(_ approval: Approval) -> [(name: String, value: String)] { [] }
  var redirectURIMismatch: String { "invalid_request" }
  var userInfoRefusal: String { "invalid_token" }
  var hasOpenRevocation: Bool { false }
  func nonceOfSDK() -> String? { nil }
  var givesCodesToNamedServersOnly: Bool { false }
}
