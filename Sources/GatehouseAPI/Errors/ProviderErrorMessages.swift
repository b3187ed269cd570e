import GatehouseFederation
import GatehouseJSON
import GatehouseModel

/// How refusals of a provider's answers, and of its configuration, are worded on the wire.
extension ErrorMapping {
  static func message(_ error: FederationError) -> String {
    switch error {
    case .unsupportedProvider: "OPERATION_NOT_ALLOWED : \(configurationNotFound)"
    case .incompleteConfiguration(let provider, let setting):
      "OPERATION_NOT_ALLOWED : The configuration of \(provider) lacks \(setting)."
    case .missingIDToken, .accessTokenAlone:
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: an ID token is needed."
    case .missingAccessToken:
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: an access token is "
        + "needed."
    case .accessToken(let fault): "INVALID_IDP_RESPONSE : Bad access token: \(message(fault))"
    case .inspectionRefused(let complaint):
      "INVALID_IDP_RESPONSE : Unsuccessful debug_token response from Facebook: "
        + "{\"error\":\(complaint.jsonText)}"
    case .unparsable: "INVALID_IDP_RESPONSE : Unable to parse the ID Token."
    case .signature: "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature."
    case .issuer(let received, let expected):
      "INVALID_IDP_RESPONSE : The issuer in ID Token \(received) does not match the expected one in "
        + "config: \(expected)."
    case .audience(let received, let expected):
      "INVALID_IDP_RESPONSE : The audience in ID Token [\(received.joined(separator: ", "))] does "
        + "not match the expected audience\(expected.isEmpty ? "" : " \(expected)")."
    // Google's service has one sentence for both. The log tells them apart.
    case .stale(let issuedAt), .issuedInFuture(let issuedAt):
      "INVALID_IDP_RESPONSE : ID Token issued at \(issuedAt) is stale to sign-in."
    case .missingSubject(let claims):
      "INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: \(claims)"
    case .otherToken:
      "INVALID_IDP_RESPONSE : The ID Token was not issued with the access token or code in the "
        + "request."
    case .otherSubject:
      "INVALID_IDP_RESPONSE : The provider's user information is of another user than the token."
    case .answerOfOtherIssuer(let received, let expected):
      "INVALID_IDP_RESPONSE : The answer's issuer \(received) does not match the expected one in "
        + "config: \(expected)."
    case .authenticationTooOld(let seconds):
      "INVALID_IDP_RESPONSE : The app asked for max_age=\(seconds), and the provider does not say "
        + "that the user authenticated so recently (auth_time)."
    case .otherAuthenticationContext(let received):
      "INVALID_IDP_RESPONSE : The authentication context class \"\(received)\" (acr) is none of the "
        + "acr_values that the app asked for."
    case .nonceMissingInRequest: "MISSING_OR_INVALID_NONCE : Nonce is missing in the request."
    case .nonceMissingInToken: "MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token."
    case .nonceMismatch(let received, let raw, let isRaw):
      "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"\(received)\" does not match the SHA256 "
        + "hash of the raw nonce \"\(raw)\" in the request."
        + (isRaw
          ? " They are the same text: give the provider the hash, and this request the raw nonce."
          : "")
    case .nonceLength(let bytes):
      "MISSING_OR_INVALID_NONCE : The raw nonce has \(bytes) bytes; 1 to 256 are accepted."
    case .nonceTokenLivesTooLong(let seconds, let maximum):
      "INVALID_IDP_RESPONSE : The ID Token carries a nonce and lives \(seconds) seconds; at most "
        + "\(maximum) are accepted."
    case .unreachable:
      "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer."
    case .refusedByProvider(let status, let error):
      "INVALID_IDP_RESPONSE : The provider refused the request: \(status) \(error ?? "")"
    }
  }

  private static func message(_ fault: AccessTokenFault) -> String {
    switch fault {
    case .refused(let complaint): complaint.jsonText
    case .notGood: "it is unknown, revoked or expired."
    case .otherApp: "it was issued to another app."
    case .notOfPerson: "it is not a person's."
    case .expired: "it has expired."
    case .dataAccessExpired: "the app's access to the person's data has expired."
    case .unreadable: "it can't be read."
    }
  }

  /// Of an administrator's resource.
  static func message(_ fault: ProviderConfigurationFault) -> String {
    switch fault {
    case .clientIDMissing:
      "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty."
    case .clientIDForm(let form): "INVALID_CONFIG : \(form)."
    case .issuerMissing: "MISSING_ISSUER : Issuer in OAuthIdpConfig cannot be empty."
    case .issuerForm: "INVALID_ISSUER : The issuer has to be an https URL without a fragment."
    case .tenantForm:
      "INVALID_ISSUER : The issuer has to be https://login.microsoftonline.com/<tenant>/v2.0, with "
        + "common, organizations, consumers or a tenant's id."
    case .secretMissing: "INVALID_CONFIG : client_secret cannot be empty for code flow."
    case .secretOfPublicClient:
      "INVALID_CONFIG : A public client has no client_secret, and no clientKey."
    case .secretAndKey:
      "INVALID_CONFIG : A client has a client_secret or a clientKey: clear the one that isn't used."
    case .clientKeyForm:
      "INVALID_CONFIG : clientKey.privateKey has to be an unencrypted P-256, P-384, P-521 or RSA key "
        + "of 2048 bits or more, in PEM."
    case .clientKeyAlgorithm:
      "INVALID_CONFIG : clientKey.algorithm is none of the key's: ES256, ES384 or ES512 by its curve; "
        + "of RSA RS256, RS384, RS512, PS256, PS384 or PS512."
    case .clientKeyID:
      "INVALID_CONFIG : clientKey.keyId has to be 1 to 256 visible ASCII characters."
    case .idTokenInQuery:
      "INVALID_CONFIG : responseMode query is for the code flow: an ID token must not stand in a query."
    case .bothResponseTypes:
      "INVALID_CONFIG : responseType.code and responseType.idToken cannot both be true."
    case .clientRepeated(let text):
      "INVALID_CONFIG : \(text.prefix(100)) is in clients twice, or is the first clientId."
    case .parameterReserved(let name):
      "INVALID_CONFIG : allowedParameters cannot hold \(name.prefix(100)): it is the server's to "
        + "set, or no parameter's name."
    case .openIDConnectOnly:
      "INVALID_CONFIG : clientKey, clientAuthentication, clients, responseMode and claimMapping are "
        + "for OpenID Connect providers."
    case .emailTrust(let reason):
      "INVALID_CONFIG : trustEmail can only be never here: \(reason)."
    case .listTooLong(let maximum): "INVALID_CONFIG : At most \(maximum) values in a list."
    case .textTooLong(let maximum): "INVALID_CONFIG : At most \(maximum) bytes in a field."
    }
  }

  static let configurationNotFound = "The identity provider configuration is not found."
}
