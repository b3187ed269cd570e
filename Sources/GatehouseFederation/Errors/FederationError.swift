package import GatehouseModel

/// Why a provider's word isn't taken, with what the answer to the client tells.
///
/// ``description`` may be logged: it holds the code and nothing that came from a token. The
/// associated values may hold what a token says (never the token), for the answer to its bearer.
package enum FederationError: Error, Hashable, Sendable {
  // MARK: The configuration

  /// This server has no way to sign in with the provider.
  case unsupportedProvider(ProviderID)
  /// The configuration lacks what is needed; `setting` as Google's admin resources name it, such as
  /// `appleSignInConfig.codeFlowConfig.keyId`.
  case incompleteConfiguration(provider: ProviderID, setting: String)

  // MARK: The credential

  /// No ID token, nor anything else that the provider can be asked about.
  case missingIDToken(ProviderID)
  /// No access token, of a provider that issues no ID tokens.
  case missingAccessToken(ProviderID)
  /// An access token alone: it says neither for whom it was issued nor to whom.
  case accessTokenAlone(ProviderID)
  /// The provider was asked about an access token, and it signs no user in.
  case accessToken(AccessTokenFault)
  /// Facebook won't tell about an access token: it is another app's, or ours doesn't prove itself.
  case inspectionRefused(GraphComplaint)

  // MARK: The ID token

  /// Not a token of the form that is taken, or a required claim is absent or of another type.
  /// `reason` is a stable name (`TokenError.Code`).
  case unparsable(reason: String)
  /// The algorithm, the key or the signature.
  case signature(reason: String)
  /// `received` is empty if the token has none; `expected` is the configured one, for providers
  /// with two the first.
  case issuer(received: String, expected: String)
  /// `expected` is the client id that the provider's configuration names first, and may be empty
  /// (Apple without a Services ID).
  case audience(received: [String], expected: String)
  /// Expired. `issuedAt` is the claim `iat` as it was written.
  case stale(issuedAt: String)
  /// Issued, or valid only, beyond the skew of two clocks. `issuedAt` as in ``stale(issuedAt:)``.
  case issuedInFuture(issuedAt: String)
  /// `claims` is the payload as JSON with sorted keys.
  case missingSubject(claims: String)
  /// `at_hash` or `c_hash` isn't of the token or code that came along.
  case otherToken
  /// The userinfo endpoint, or Facebook's profile, speaks of somebody else than the token.
  case otherSubject

  // MARK: How the user authenticated

  /// `auth_time` says that it was longer ago than `max_age` allows, or the token lacks it.
  case authenticationTooOld(maximumSeconds: Int)
  /// `acr` is none of those that were asked for, or the token lacks it.
  case otherAuthenticationContext(received: String)

  // MARK: The nonce

  case nonceMissingInRequest
  case nonceMissingInToken
  /// The token's `nonce`, and the request's raw one. `isRaw`: they are the same text, so the app
  /// gave the provider the raw nonce instead of its hash.
  case nonceMismatch(received: String, raw: String, isRaw: Bool)
  /// The request's raw nonce isn't 1 to 256 bytes.
  case nonceLength(bytes: Int)
  /// A token with a nonce is remembered until it expires, and this one would be for too long.
  case nonceTokenLivesTooLong(seconds: Int, maximum: Int)

  // MARK: The provider

  /// The provider's keys, or its endpoint, can't be reached or read.
  case unreachable(RemoteKeyFailure)
  /// The token endpoint or the revocation endpoint refused; `error` is its code (RFC 6749 §5.2).
  case refusedByProvider(status: Int, error: String?)
  /// `iss` beside a code or token that came through a browser is another provider's (RFC 9207
  /// §2.4), or absent where the provider says that it always comes. `expected` is the configured one.
  case answerOfOtherIssuer(received: String, expected: String)
}

extension FederationError {
  /// Whether the provider was asked about what the client brought, and it is no good.
  package var isProvidersRefusal: Bool {
    switch self {
    case .accessToken, .inspectionRefused: true
    default: false
    }
  }

  /// Whether the token endpoint was asked about a code, and it is no good or we aren't its client.
  package var isRefusalOfCode: Bool {
    switch self {
    case .refusedByProvider(400..<500, _): true
    // GitHub answers 200 for its refusals too.
    case .refusedByProvider(200, .some): true
    default: false
    }
  }
}

extension FederationError {
  /// The codes of a token endpoint that doesn't know the client, or rejects its secret (RFC 6749 §5.2;
  /// the last one is GitHub's).
  static let refusalsOfClient = [
    "invalid_client", "unauthorized_client", "incorrect_client_credentials",
  ]

  /// The codes of a token endpoint that accepted the client and rejected the code or its redirect URI
  /// (RFC 6749 §5.2; the last two are GitHub's).
  static let refusalsOfCode = ["invalid_grant", "redirect_uri_mismatch", "bad_verification_code"]

  /// Whether the provider refused this server rather than the user: the operator has to act.
  package var isRefusalOfClient: Bool {
    guard case .refusedByProvider(_, let error?) = self else { return false }
    return Self.refusalsOfClient.containsBytes(of: error)
  }

  /// Whether nobody signs in until the operator acts: the provider doesn't know this server, or this
  /// server doesn't trust the provider's certificate.
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
    case .accessTokenAlone(let provider): "an access token of \(provider) alone"
    case .accessToken(let fault): "an access token that signs no user in (\(fault.name))"
    case .inspectionRefused(let complaint):
      "Facebook refused to tell about an access token (\(complaint.code.map { "\($0)" } ?? ""))"
    case .unparsable(let reason): "unparsable ID token (\(reason))"
    case .signature(let reason): "signature of the ID token (\(reason))"
    case .issuer: "issuer of the ID token"
    case .audience: "audience of the ID token"
    case .stale: "stale ID token"
    case .issuedInFuture:
      "ID token from the future: compare this server's clock with the provider's"
    case .missingSubject: "ID token without a subject"
    case .otherToken: "ID token of another access token or code"
    case .otherSubject: "userinfo of another subject"
    case .answerOfOtherIssuer: "issuer of the answer through the browser"
    case .authenticationTooOld: "an authentication older than max_age"
    case .otherAuthenticationContext: "another acr than was asked for"
    case .nonceMissingInRequest: "no nonce in the request"
    case .nonceMissingInToken: "no nonce in the ID token"
    case .nonceMismatch(_, _, let isRaw):
      isRaw ? "the ID token has the raw nonce instead of its hash" : "another nonce"
    case .nonceLength(let bytes): "a nonce of \(bytes) bytes"
    case .nonceTokenLivesTooLong(let seconds, _): "a nonce-bearing ID token of \(seconds) seconds"
    case .unreachable(let failure): "provider unreachable: \(failure)"
    case .refusedByProvider(let status, let error):
      "the provider refused: \(status) \(error ?? "")"
    }
  }
}
