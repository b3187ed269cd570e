package import GatehouseModel

/// Why a provider's statement is rejected, with the values that the response to the client
/// contains.
///
/// ``description`` may be logged: it contains the code and nothing from a token. The associated
/// values may contain claims of a token (never the token), for the response to the client that sent
/// it.
package enum FederationError: Error, Hashable, Sendable {
  // MARK: The configuration

  /// This server has no way to sign in with the provider.
  case unsupportedProvider(ProviderID)
  /// The configuration lacks a required setting; `setting` is its name in Google's admin resources,
  /// such as `appleSignInConfig.codeFlowConfig.keyId`.
  case incompleteConfiguration(provider: ProviderID, setting: String)

  // MARK: The credential

  /// There is neither an ID token nor another credential about which the provider can be asked.
  case missingIDToken(ProviderID)
  /// There is no access token of a provider that issues no ID tokens.
  case missingAccessToken(ProviderID)
  /// Only an access token: it doesn't show for which user and to which client it was issued.
  case accessTokenAlone(ProviderID)
  /// The provider was asked about an access token, which can't sign a user in.
  case accessToken(AccessTokenFault)
  /// Facebook gives no information about an access token: the token is another app's, or our app
  /// isn't authenticated.
  case inspectionRefused(GraphComplaint)

  // MARK: The ID token

  /// The token doesn't have the required form, or a required claim is absent or of the wrong type.
  /// `reason` is a stable name (`TokenError.Code`).
  case unparsable(reason: String)
  /// The algorithm, the key or the signature is wrong.
  case signature(reason: String)
  /// `received` is empty if the token has no issuer; `expected` is the configured one, or the first
  /// for providers with two.
  case issuer(received: String, expected: String)
  /// `expected` is the client id that the provider's configuration names first, and may be empty
  /// (Apple without a Services ID).
  case audience(received: [String], expected: String)
  /// Expired. `issuedAt` is the text of the claim `iat`.
  case stale(issuedAt: String)
  /// Issued or valid only in the future, beyond the tolerated skew. `issuedAt` as in
  /// ``stale(issuedAt:)``.
  case issuedInFuture(issuedAt: String)
  /// `claims` is the payload as JSON with sorted keys.
  case missingSubject(claims: String)
  /// `at_hash` or `c_hash` isn't the hash of the access token or code that came with the token.
  case otherToken
  /// The userinfo endpoint, or the provider's profile, is about another user than the token.
  case otherSubject

  // MARK: How the user authenticated

  /// By `auth_time` the authentication is older than `max_age` allows, or the token has no
  /// `auth_time`.
  case authenticationTooOld(maximumSeconds: Int)
  /// `acr` is not one of the requested values, or the token has no `acr`.
  case otherAuthenticationContext(received: String)

  // MARK: The nonce

  case nonceMissingInRequest
  case nonceMissingInToken
  /// The token's `nonce`, and the raw nonce of the request. With `isRaw` both are the same text:
  /// the app sent the provider the raw nonce instead of its hash.
  case nonceMismatch(received: String, raw: String, isRaw: Bool)
  /// The request's raw nonce isn't 1 to 256 bytes.
  case nonceLength(bytes: Int)
  /// A token with a nonce is remembered until it expires, and this one expires too late.
  case nonceTokenLivesTooLong(seconds: Int, maximum: Int)

  // MARK: The provider

  /// The provider's keys or endpoint can't be reached, or their response can't be read.
  case unreachable(RemoteKeyFailure)
  /// An endpoint of the provider refused; `error` is its code (RFC 6749 §5.2).
  case refusedByProvider(status: Int, error: String?)
  /// The `iss` with a code or token that came through a browser is another provider's (RFC 9207
  /// §2.4), or it is absent although the provider declares that it always sends it. `expected` is
  /// the configured one.
  case answerOfOtherIssuer(received: String, expected: String)
}

extension FederationError {
  /// Whether the provider was asked about the client's credential and rejected it.
  package var isProvidersRefusal: Bool {
    switch self {
    case .accessToken, .inspectionRefused: true
    default: false
    }
  }

  /// Whether the token endpoint rejected a code, or us as its client.
  package var isRefusalOfCode: Bool {
    switch self {
    case .refusedByProvider(400..<500, _): true
    // GitHub responds with 200 to requests that it rejects, too.
    case .refusedByProvider(200, .some): true
    default: false
    }
  }
}

extension FederationError {
  /// The codes of a token endpoint that doesn't know the client, or rejects its secret (RFC 6749
  /// §5.2; the last one is GitHub's).
  static let refusalsOfClient = [
    "invalid_client", "unauthorized_client", "incorrect_client_credentials",
  ]

  /// The codes of a token endpoint that accepted the client and rejected the code or its redirect
  /// URI (RFC 6749 §5.2; the last two are GitHub's).
  static let refusalsOfCode = ["invalid_grant", "redirect_uri_mismatch", "bad_verification_code"]

  /// Whether the provider refused this server rather than the user: the operator has to act.
  package var isRefusalOfClient: Bool {
    guard case .refusedByProvider(_, let error?) = self else { return false }
    return Self.refusalsOfClient.containsBytes(of: error)
  }

  /// Whether no user can sign in until the operator acts: the provider doesn't accept this server
  /// as a client, or this server doesn't trust the provider's certificate.
  package var isOperatorsConcern: Bool {
    switch self {
    case .unreachable(.outbound(.certificate)), .unreachable(.outbound(.notTLS)): true
    default: isRefusalOfClient
    }
  }
}

extension FederationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsupportedProvider(let provider): "unsupported provider \(provider)"
    case .incompleteConfiguration(let provider, let setting): "\(provider) lacks \(setting)"
    case .missingIDToken(let provider): "no ID token of \(provider)"
    case .missingAccessToken(let provider): "no access token of \(provider)"
    case .accessTokenAlone(let provider): "only an access token of \(provider)"
    case .accessToken(let fault): "an access token that signs no user in (\(fault.name))"
    case .inspectionRefused(let complaint):
      "Facebook refused to inspect an access token (\(complaint.code.map { "\($0)" } ?? ""))"
    case .unparsable(let reason): "unparsable ID token (\(reason))"
    case .signature(let reason): "signature of the ID token (\(reason))"
    case .issuer: "issuer of the ID token"
    case .audience: "audience of the ID token"
    case .stale: "expired ID token"
    case .issuedInFuture:
      "ID token from the future: compare this server's clock with the provider's"
    case .missingSubject: "ID token without a subject"
    case .otherToken: "ID token for another access token or code"
    case .otherSubject: "userinfo of another subject"
    case .answerOfOtherIssuer: "issuer of the response through the browser"
    case .authenticationTooOld: "an authentication older than max_age"
    case .otherAuthenticationContext: "an acr that was not requested"
    case .nonceMissingInRequest: "no nonce in the request"
    case .nonceMissingInToken: "no nonce in the ID token"
    case .nonceMismatch(_, _, let isRaw):
      isRaw ? "the ID token has the raw nonce instead of its hash" : "another nonce"
    case .nonceLength(let bytes): "a nonce of \(bytes) bytes"
    case .nonceTokenLivesTooLong(let seconds, _):
      "an ID token with a nonce and a lifetime of \(seconds) seconds"
    case .unreachable(let failure): "provider unreachable: \(failure)"
    case .refusedByProvider(let status, let error):
      "the provider refused: \(status) \(error ?? "")"
    }
  }
}
