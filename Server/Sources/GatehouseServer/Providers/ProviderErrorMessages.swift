import GatehouseProtocol
import GatehouseTokens

/// The wire messages for errors in a provider's responses and configuration.
extension ErrorMapping {
  static func message(_ error: FederationError) -> ErrorMessage {
    switch error {
    case .unsupportedProvider: .init(.operationNotAllowed, configurationNotFound)
    case .incompleteConfiguration(let provider, let setting):
      .init(
        .operationNotAllowed,
        FederationError.isInDiscovery(setting)
          ? "The discovery document of \(provider) has no usable \(setting)."
          : "The configuration of \(provider) has no valid \(setting).")
    case .missingIDToken, .accessTokenAlone:
      .init(
        .invalidCredentialOrProviderID, "Invalid IdP response/credential: an ID token is needed.")
    case .missingAccessToken:
      .init(
        .invalidCredentialOrProviderID,
        "Invalid IdP response/credential: an access token is needed.")
    case .accessToken(let fault): .init(.invalidIDPResponse, "Bad access token: \(message(fault))")
    case .inspectionRefused(let complaint):
      .init(
        .invalidIDPResponse,
        "Unsuccessful debug_token response from Facebook: "
          + "{\"error\":\(complaint.jsonText)}")
    case .unparsable(let reason):
      .init(
        .invalidIDPResponse,
        "Unable to parse the ID Token."
          + (reason.hasSameBytes(as: TokenError.Code.tooLong.rawValue)
            ? " It is longer than \(TokenLimits.standard.bytes) bytes." : ""))
    case .signature: .init(.invalidIDPResponse, "Unable to verify the ID Token signature.")
    case .issuer(let received, let expected):
      .init(
        .invalidIDPResponse,
        "The issuer in ID Token \(received) does not match the expected one in "
          + "config: \(expected).")
    case .audience(let received, let expected):
      .init(
        .invalidIDPResponse,
        "The audience in ID Token [\(received.joined(separator: ", "))] does "
          + "not match the expected audience\(expected.isEmpty ? "" : " \(expected)").")
    case .untrustedAudience(let received, let expected):
      .init(
        .invalidIDPResponse,
        "The audience in ID Token [\(received.joined(separator: ", "))] does "
          + "not match the expected audience \(expected). An audience beside ours has to be "
          + "trusted in the configuration, unless the token's azp is ours.")
    case .authorizedParty(let received, let expected):
      .init(
        .invalidIDPResponse,
        "The authorized party (azp) in ID Token \(received) does not match the expected "
          + "client id\(expected.isEmpty ? "" : " \(expected)").")
    // Google's service has one sentence for both. The log distinguishes them.
    case .stale(let issuedAt), .issuedInFuture(let issuedAt):
      .init(.invalidIDPResponse, "ID Token issued at \(issuedAt) is stale to sign-in.")
    case .missingSubject(let claims):
      .init(
        .invalidIDPResponse, "ID Token does not contain user's identity in 'sub' claim: \(claims)")
    case .otherToken:
      .init(
        .invalidIDPResponse,
        "The ID Token was not issued with the access token or code in the "
          + "request.")
    case .otherSubject:
      .init(
        .invalidIDPResponse, "The provider's user information is of another user than the token.")
    case .answerOfOtherIssuer(let received, let expected):
      .init(
        .invalidIDPResponse,
        "The answer's issuer \(received) does not match the expected one in "
          + "config: \(expected).")
    case .authenticationTooOld(let seconds):
      .init(
        .invalidIDPResponse,
        "The app asked for max_age=\(seconds), and the provider does not say "
          + "that the user authenticated so recently (auth_time).")
    case .otherAuthenticationContext(let received):
      .init(
        .invalidIDPResponse,
        "The authentication context class \"\(received)\" (acr) is none of the "
          + "acr_values that the app asked for.")
    case .nonceMissingInRequest: .init(.missingOrInvalidNonce, "Nonce is missing in the request.")
    case .nonceMissingInToken: .init(.missingOrInvalidNonce, "Nonce is missing in the ID Token.")
    case .nonceMismatch(let received, let raw, let form):
      .init(
        .missingOrInvalidNonce,
        "The nonce in ID Token \"\(received)\" does not match the SHA256 "
          + "hash of the raw nonce \"\(raw)\" in the request."
          + advice(on: form))
    case .nonceLength(let bytes):
      .init(.missingOrInvalidNonce, "The raw nonce has \(bytes) bytes; 1 to 256 are accepted.")
    case .nonceTokenLivesTooLong(let seconds, let maximum):
      .init(
        .invalidIDPResponse,
        "The ID Token carries a nonce and lives \(seconds) seconds; at most "
          + "\(maximum) are accepted.")
    case .subjectForm(let provider):
      .init(.invalidIDPResponse, "The stored id of the user is not an id of \(provider).")
    case .unreachable(.noUsableKey):
      .init(
        .invalidIDPResponse,
        "Unable to verify the ID Token signature. The provider publishes no key that can verify it."
      )
    case .unreachable:
      .init(.invalidIDPResponse, "Error connecting to the given credential's issuer.")
    case .refusedByProvider(let status, let error):
      .init(
        .invalidIDPResponse,
        status == 200 && error == nil
          ? "The provider's response can't be read."
          : "The provider refused the request: \(status)\(error.map { " \($0)" } ?? "")")
    }
  }

  private static func message(_ fault: AccessTokenFault) -> String {
    switch fault {
    case .refused(let complaint): complaint.jsonText
    case .notGood: "it is unknown, revoked or expired."
    case .otherApp: "it was issued to another app."
    case .notOfPerson: "it doesn't belong to a user."
    case .expired: "it has expired."
    case .dataAccessExpired: "the app's access to the user's data has expired."
    case .unreadable: "it can't be read."
    }
  }

  /// For an administrator's resource.
  static func message(_ fault: ProviderConfigurationFault) -> ErrorMessage {
    switch fault {
    case .clientIDMissing:
      .init(.missingOAuthClientID, "Client_id in OAuthIdpConfig cannot be empty.")
    case .clientIDForm(let form): .init(.invalidConfig, "\(form).")
    case .issuerMissing: .init(.missingIssuer, "Issuer in OAuthIdpConfig cannot be empty.")
    case .issuerForm: .init(.invalidIssuer, "Issuer in OAuthIdpConfig should be a valid URL.")
    case .discoveryURLForm:
      .init(.invalidConfig, "discoveryUrl has to be an https URL without a fragment.")
    case .scopeForm:
      .init(
        .invalidConfig,
        "scopes has to be at most 32 scopes, each of 1 to 256 visible ASCII characters without "
          + #"" and \."#)
    case .tenantForm:
      .init(
        .invalidIssuer,
        "The issuer has to be https://login.microsoftonline.com/<tenant>/v2.0, with common, "
          + "organizations, consumers or a tenant's id.")
    case .secretMissing: .init(.invalidConfig, "client_secret cannot be empty for code flow.")
    case .secretOfPublicClient:
      .init(.invalidConfig, "A public client has no client_secret, and no clientKey.")
    case .secretAndKey:
      .init(
        .invalidConfig,
        "A client has a client_secret or a clientKey: clear the one that isn't used.")
    case .clientKeyForm:
      .init(
        .invalidConfig,
        "clientKey.privateKey has to be an unencrypted P-256, P-384, P-521 or RSA key "
          + "of 2048 bits or more, in PEM.")
    case .clientKeyAlgorithm:
      .init(
        .invalidConfig,
        "clientKey.algorithm does not fit the key. An EC key has ES256, ES384 or ES512, by its "
          + "curve; an RSA key has RS256, RS384, RS512, PS256, PS384 or PS512.")
    case .clientKeyID:
      .init(.invalidConfig, "clientKey.keyId has to be 1 to 256 visible ASCII characters.")
    case .idTokenInQuery:
      .init(
        .invalidConfig,
        "responseMode query is only for the code flow: an ID token must not be in a query.")
    case .bothResponseTypes:
      .init(
        .invalidConfig,
        "response_type should have exactly one of 'idToken' and 'code' being true. Setting both types to "
          + "be true ('{code: true, idToken: true}') is not yet supported.")
    case .clientRepeated(let text):
      .init(.invalidConfig, "\(text.prefix(100)) is in clients twice, or is the first clientId.")
    case .parameterReserved(let name):
      .init(
        .invalidConfig,
        "allowedParameters cannot contain \(name.prefix(100)): only the server may set it, "
          + "or it is not a parameter's name.")
    case .openIDConnectOnly:
      .init(
        .invalidConfig,
        "clientKey, clientAuthentication, clients, responseMode, claimMapping, discoveryUrl and "
          + "scopes are only for OpenID Connect providers.")
    case .emailTrust(let reason):
      .init(.invalidConfig, "trustEmail can only be never here: \(reason).")
    case .keptTokens(let reason):
      .init(.invalidConfig, "keepRefreshToken cannot be true here: \(reason).")
    case .listTooLong(let maximum): .init(.invalidConfig, "At most \(maximum) values in a list.")
    case .textTooLong(let maximum): .init(.invalidConfig, "At most \(maximum) bytes in a field.")
    }
  }

  private static func advice(on form: NonceForm) -> String {
    let hash = " It is the hash in another form: give the provider"
    return switch form {
    case .sameText:
      " They are the same text: give the provider the hash, and this request the raw nonce."
    case .upperCase: hash + " lower-case hexadecimal digits."
    case .base64: hash + " hexadecimal digits, not base64."
    case .other: ""
    }
  }

  static let configurationNotFound = "The identity provider configuration is not found."
}
