package import GatehouseProtocol
import GatehouseTokens

/// Why a provider's token, code or notification is rejected or can't be checked, with the values
/// that the response to the client contains.
///
/// ``description`` may be logged: it contains no text from a token. The associated values may
/// contain claims of a token (never the token), for the response to the client that sent it.
package enum FederationError: Error, Hashable, Sendable {
  // MARK: The configuration

  /// This server doesn't support the provider, or doesn't support this operation with the provider.
  case unsupportedProvider(ProviderID)
  /// A required setting is absent or can't be used. `setting` is its name in the REST API, such as
  /// `appleSignInConfig.codeFlowConfig.keyId`, or a member of the provider's discovery document,
  /// such as `token_endpoint`.
  case incompleteConfiguration(provider: ProviderID, setting: String)

  // MARK: The credential

  /// There is neither an ID token nor another credential about which the provider can be asked.
  case missingIDToken(ProviderID)
  /// The provider issues no ID tokens, and the request has no access token.
  case missingAccessToken(ProviderID)
  /// There is only an access token, of a provider that can't be asked about it. The token itself
  /// doesn't show for which user and to which client it was issued.
  case accessTokenAlone(ProviderID)
  /// An access token can't sign a user in.
  case accessToken(AccessTokenFault)
  /// Facebook rejects a request of our app about an access token or a grant, for example because the
  /// token is another app's, or our app isn't authenticated.
  case inspectionRefused(GraphComplaint)

  // MARK: The ID token

  /// The token doesn't have the required form, or a required claim is absent or of the wrong type.
  /// Also thrown for a provider's notification, and for a response of Apple's migration service.
  /// `reason` is a stable name: a `TokenError.Code`, or the name of the absent or malformed member.
  case unparsable(reason: String)
  /// The algorithm, the key or the signature is wrong. `reason` is a `TokenError.Code`. `detail` says
  /// what is wrong with a key of the provider that can't be used.
  case signature(reason: String, detail: String = "")
  /// `received` is empty if the token has no issuer. `expected` is the provider's issuer, the first
  /// one of a provider with two, or the pattern of a provider with many (Microsoft).
  case issuer(received: String, expected: String)
  /// `received` is the claim `aud`. `expected` is the first client id of the provider's configuration.
  /// It is empty for Apple without a Services ID.
  case audience(received: [String], expected: String)
  /// As ``audience(received:expected:)``, but `aud` names us. It also names an audience that isn't
  /// trusted, and there is no `azp`.
  case untrustedAudience(received: [String], expected: String)
  /// `aud` names us, but `azp` names another client. `received` is empty if `azp` isn't a string.
  case authorizedParty(received: String, expected: String)
  /// The token has expired, or a notification is too old. `issuedAt` is the text of the claim
  /// `iat`.
  case stale(issuedAt: String)
  /// `iat` or `nbf` is in the future by more than the tolerated skew. `issuedAt` is the text of the
  /// claim `iat`.
  case issuedInFuture(issuedAt: String)
  /// `claims` is the payload as JSON with sorted keys, cut at 2048 bytes.
  case missingSubject(claims: String)
  /// `at_hash` or `c_hash` isn't the hash of the access token or code that came with the token.
  case otherToken
  /// The response of the userinfo endpoint, or the provider's profile, is about another user than the
  /// token.
  case otherSubject

  // MARK: How the user authenticated

  /// The token's `auth_time` is absent, or earlier than `max_age` allows.
  case authenticationTooOld(maximumSeconds: Int)
  /// `acr` is not one of the requested values, or the token has no `acr`.
  case otherAuthenticationContext(received: String)

  // MARK: The nonce

  case nonceMissingInRequest
  case nonceMissingInToken
  /// The token's `nonce`, and the raw nonce of the request.
  case nonceMismatch(received: String, raw: String, form: NonceForm)
  /// The request's raw nonce isn't 1 to 256 bytes.
  case nonceLength(bytes: Int)
  /// The server records a token with a nonce until it expires. This token is valid for too long.
  case nonceTokenLivesTooLong(seconds: Int, maximum: Int)

  // MARK: The provider

  /// The stored id of a user isn't an id of this provider, for example because the account was
  /// imported with it. So the user's grant can't be revoked there.
  case subjectForm(ProviderID)
  /// The provider's keys or endpoint can't be reached, or their response can't be read.
  case unreachable(RemoteKeyFailure)
  /// An endpoint of the provider rejected the request, or its response can't be read. `error` is
  /// the code in the response (RFC 6749 §5.2), if there is one.
  case refusedByProvider(status: Int, error: String?)
  /// The `iss` with a code or token that came through a browser is another provider's (RFC 9207
  /// §2.4). Or the `iss` is absent, although the provider declares that it always sends one. `expected`
  /// is the provider's issuer.
  case answerOfOtherIssuer(received: String, expected: String)
}

extension FederationError {
  /// Whether the client's access token is invalid, or Facebook gave no information about it.
  package var isProvidersRefusal: Bool {
    switch self {
    case .accessToken, .inspectionRefused: true
    default: false
    }
  }

  /// Whether the token endpoint rejected the code, or this server as its client.
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

  /// Whether the provider doesn't accept this server as a client. Only a change of the configuration,
  /// here or at the provider, can help.
  package var isRefusalOfClient: Bool {
    guard case .refusedByProvider(_, let error?) = self else { return false }
    return Self.refusalsOfClient.containsBytes(of: error)
  }

  /// Whether sign-ins with the provider fail until the operator or the provider acts: the provider
  /// doesn't accept this server as a client, this server doesn't accept the provider's certificate, the
  /// provider's host doesn't speak TLS, its discovery document or keys can't be used, or the client
  /// secret is too short for the provider's signatures.
  package var isOperatorsConcern: Bool {
    switch self {
    case .unreachable(.outbound(.certificate)), .unreachable(.outbound(.notTLS)): true
    case .unreachable(.otherIssuer), .unreachable(.endpoint), .unreachable(.issuerURL),
      .unreachable(.noUsableKey):
      true
    case .signature(let reason, _):
      reason.hasSameBytes(as: TokenError.Code.secretTooShort.rawValue)
    default: isRefusalOfClient
    }
  }

  /// Whether the same request may succeed later without a change on this side: the provider couldn't
  /// be reached, failed, or limited the rate of requests.
  package var isTemporary: Bool {
    switch self {
    case .unreachable: true
    case .refusedByProvider(let status, _): status >= 500 || status == 429
    default: false
    }
  }

  /// Whether the provider answered that it knows no such token or code. If it was asked to revoke a token,
  /// there is nothing to revoke: Google answers 400 with `invalid_token` for a token that was revoked before;
  /// RFC 7009 §2.2 asks for 200. GitHub answers 404 or 422.
  package var saysThatTokenIsInvalid: Bool {
    if self == .accessToken(.notGood) { return true }
    guard case .refusedByProvider(400..<500, let error?) = self else { return false }
    return ["invalid_token", "invalid_grant"].containsBytes(of: error)
  }
}

/// What a client gets. Unlike ``description``, it may contain claims of the client's own token.
extension FederationError: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .unsupportedProvider: .configurationNotFound
    case .incompleteConfiguration(let provider, let setting):
      .refused(
        .operationNotAllowed,
        Self.isInDiscovery(setting)
          ? "The discovery document of \(provider) has no usable \(setting)."
          : "The configuration of \(provider) has no valid \(setting).")
    case .missingIDToken, .accessTokenAlone:
      .refused(
        .invalidCredentialOrProviderID, "Invalid IdP response/credential: an ID token is needed.")
    case .missingAccessToken:
      .refused(
        .invalidCredentialOrProviderID,
        "Invalid IdP response/credential: an access token is needed.")
    case .accessToken(let fault):
      .refused(.invalidIDPResponse, "Bad access token: \(fault.message)")
    case .inspectionRefused(let complaint):
      .refused(
        .invalidIDPResponse,
        "Unsuccessful debug_token response from Facebook: "
          + "{\"error\":\(complaint.jsonText)}")
    case .unparsable(let reason):
      .refused(
        .invalidIDPResponse,
        "Unable to parse the ID Token."
          + (reason.hasSameBytes(as: TokenError.Code.tooLong.rawValue)
            ? " It is longer than \(TokenLimits.standard.bytes) bytes." : ""))
    case .signature: .refused(.invalidIDPResponse, "Unable to verify the ID Token signature.")
    case .issuer(let received, let expected):
      .refused(
        .invalidIDPResponse,
        "The issuer in ID Token \(received) does not match the expected one in "
          + "config: \(expected).")
    case .audience(let received, let expected):
      .refused(
        .invalidIDPResponse,
        "The audience in ID Token [\(received.joined(separator: ", "))] does "
          + "not match the expected audience\(expected.isEmpty ? "" : " \(expected)").")
    case .untrustedAudience(let received, let expected):
      .refused(
        .invalidIDPResponse,
        "The audience in ID Token [\(received.joined(separator: ", "))] does "
          + "not match the expected audience \(expected). An audience beside ours has to be "
          + "trusted in the configuration, unless the token's azp is ours.")
    case .authorizedParty(let received, let expected):
      .refused(
        .invalidIDPResponse,
        "The authorized party (azp) in ID Token \(received) does not match the expected "
          + "client id\(expected.isEmpty ? "" : " \(expected)").")
    // Google's service has one sentence for both. The log distinguishes them.
    case .stale(let issuedAt), .issuedInFuture(let issuedAt):
      .refused(.invalidIDPResponse, "ID Token issued at \(issuedAt) is stale to sign-in.")
    case .missingSubject(let claims):
      .refused(
        .invalidIDPResponse, "ID Token does not contain user's identity in 'sub' claim: \(claims)")
    case .otherToken:
      .refused(
        .invalidIDPResponse,
        "The ID Token was not issued with the access token or code in the "
          + "request.")
    case .otherSubject:
      .refused(
        .invalidIDPResponse, "The provider's user information is of another user than the token.")
    case .answerOfOtherIssuer(let received, let expected):
      .refused(
        .invalidIDPResponse,
        "The answer's issuer \(received) does not match the expected one in "
          + "config: \(expected).")
    case .authenticationTooOld(let seconds):
      .refused(
        .invalidIDPResponse,
        "The app asked for max_age=\(seconds), and the provider does not say "
          + "that the user authenticated so recently (auth_time).")
    case .otherAuthenticationContext(let received):
      .refused(
        .invalidIDPResponse,
        "The authentication context class \"\(received)\" (acr) is none of the "
          + "acr_values that the app asked for.")
    case .nonceMissingInRequest:
      .refused(.missingOrInvalidNonce, "Nonce is missing in the request.")
    case .nonceMissingInToken: .refused(.missingOrInvalidNonce, "Nonce is missing in the ID Token.")
    case .nonceMismatch(let received, let raw, let form):
      .refused(
        .missingOrInvalidNonce,
        "The nonce in ID Token \"\(received)\" does not match the SHA256 "
          + "hash of the raw nonce \"\(raw)\" in the request."
          + form.advice)
    case .nonceLength(let bytes):
      .refused(.missingOrInvalidNonce, "The raw nonce has \(bytes) bytes; 1 to 256 are accepted.")
    case .nonceTokenLivesTooLong(let seconds, let maximum):
      .refused(
        .invalidIDPResponse,
        "The ID Token carries a nonce and lives \(seconds) seconds; at most "
          + "\(maximum) are accepted.")
    case .subjectForm(let provider):
      .refused(.invalidIDPResponse, "The stored id of the user is not an id of \(provider).")
    case .unreachable(.noUsableKey):
      .refused(
        .invalidIDPResponse,
        "Unable to verify the ID Token signature. The provider publishes no key that can verify it."
      )
    case .unreachable:
      .refused(.invalidIDPResponse, "Error connecting to the given credential's issuer.")
    case .refusedByProvider(let status, let error):
      .refused(
        .invalidIDPResponse,
        status == 200 && error == nil
          ? "The provider's response can't be read."
          : "The provider refused the request: \(status)\(error.map { " \($0)" } ?? "")")
    }
  }
}

extension FederationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unsupportedProvider(let provider): "unsupported provider \(provider)"
    case .incompleteConfiguration(let provider, let setting):
      Self.isInDiscovery(setting)
        ? "the discovery document of \(provider) has no usable \(setting)"
        : "\(provider) has no valid \(setting)"
    case .missingIDToken(let provider):
      "no ID token of \(provider): the app sent none, or the token endpoint returned none"
    case .missingAccessToken(let provider): "the app sent no access token of \(provider)"
    case .accessTokenAlone(let provider):
      "the app sent only an access token of \(provider), which doesn't say for which app it was issued"
    case .accessToken(let fault): "the access token can't sign a user in: \(fault.explanation)"
    case .inspectionRefused(let complaint):
      """
      Facebook gave no information about an access token\(complaint.code.map { " (code \($0))" } ?? ""): the \
      token is another app's, or the app id and the app secret don't belong together
      """
    case .unparsable(let reason):
      Self.explained("the token or response is not of the expected form", reason)
    case .signature(let reason, let detail):
      Self.explained("the signature of the token can't be verified", reason, detail)
    case .issuer: "the token is of another issuer"
    case .audience: "the token is for another audience: aud names none of our client ids"
    case .untrustedAudience:
      """
      aud names our client id, and also an audience that is not among the provider's trusted \
      audiences; azp is absent
      """
    case .authorizedParty:
      """
      aud names our client id, but azp another client, which requested the token. If that is your app, \
      add its client id to the provider's
      """
    case .stale: "the token has expired, or the notification is too old"
    case .issuedInFuture:
      "ID token from the future: compare this server's clock with the provider's"
    case .missingSubject: "the ID token has no valid subject"
    case .otherToken: "the ID token was issued for another access token or code"
    case .otherSubject: "the provider's profile is of another user"
    case .answerOfOtherIssuer:
      "the response through the browser is of another issuer, or names none"
    case .authenticationTooOld:
      "the ID token doesn't show that the user authenticated within the requested max_age"
    case .otherAuthenticationContext: "the ID token has none of the requested acr_values"
    case .nonceMissingInRequest: "the request has no nonce"
    case .nonceMissingInToken: "the token has no nonce"
    case .nonceMismatch(_, _, let form):
      switch form {
      case .sameText: "the ID token has the raw nonce instead of its hash"
      case .upperCase: "the ID token has the hash of the nonce in upper-case hexadecimal digits"
      case .base64: "the ID token has the hash of the nonce in base64"
      case .other: "the nonce of the ID token is not the hash of the request's nonce"
      }
    case .nonceLength(let bytes):
      "the nonce of the request has \(bytes) bytes; 1 to 256 are accepted"
    case .nonceTokenLivesTooLong(let seconds, let maximum):
      "an ID token with a nonce is valid for \(seconds) seconds; at most \(maximum) are accepted"
    case .subjectForm(let provider):
      "the stored id of the user is not an id of \(provider), so no grant can be revoked there"
    case .unreachable(.outbound(let error)): "provider unreachable: \(error)"
    case .unreachable(let failure): failure.description
    case .refusedByProvider(let status, let error):
      status == 200 && error == nil
        ? "the provider's response has the status 200, but can't be read"
        : "the provider refused: \(status)\(error.map { " \($0)" } ?? "")"
    }
  }

  /// - Parameter reason: A `TokenError.Code`, or the name of a member.
  private static func explained(_ what: String, _ reason: String, _ detail: String = "") -> String {
    let code = TokenError.Code(rawValue: reason)
    let explanation =
      code == .algorithmUnsupported
      ? """
      The header's alg isn't supported. HS256 is accepted only from an OpenID Connect provider, from its \
      token endpoint, with a client secret. If apps bring ID tokens, give the provider a signing key
      """ : code?.explanation
    return "\(what) (\(reason))"
      + [explanation ?? "", detail].filter { !$0.isEmpty }.map { ": \($0)" }.joined()
  }
}

extension FederationError {
  /// Whether the setting of ``incompleteConfiguration(provider:setting:)`` is a member of the
  /// provider's discovery document, such as `token_endpoint`. Our own settings have no `_`.
  package static func isInDiscovery(_ setting: String) -> Bool {
    setting.utf8.contains(UInt8(ascii: "_"))
  }
}

/// What a wrong nonce in an ID token is, as far as it can be recognized.
package enum NonceForm: Hashable, Sendable {
  /// The request's nonce: the app sent the provider the raw nonce instead of its hash, or this server the
  /// hash instead of the raw nonce.
  case sameText
  /// The hash of the request's nonce in capitals.
  case upperCase
  /// The hash of the request's nonce in base64 or base64url.
  case base64
  case other
}

extension NonceForm {
  fileprivate var advice: String {
    let hash = " It is the hash in another form: give the provider"
    return switch self {
    case .sameText:
      " They are the same text: give the provider the hash, and this request the raw nonce."
    case .upperCase: hash + " lower-case hexadecimal digits."
    case .base64: hash + " hexadecimal digits, not base64."
    case .other: ""
    }
  }
}
