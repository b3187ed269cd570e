import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseTokens
import GatehouseWire
import HTTPTypes
import Hummingbird
import NIOCore

/// What an error becomes: the one place where a refusal, of whatever layer, gets a status and a
/// message.
struct ErrorMapping: Sendable {
  let status: HTTPResponse.Status
  let body: any WireResponse
  /// Nobody foresaw the error: it is logged as one, and the answer says nothing about it.
  private(set) var isUnexpected = false

  init(_ error: any Error, envelope: Route.Envelope) {
    switch error {
    case let error as APIError: self.init(error, envelope)
    case let error as AccountsError: self.init(error, envelope)
    case let error as FederationError:
      self.init(.refused(Self.message(error)), envelope)
    case let error as CustomClaimsError: self.init(.refused(Self.message(error)), envelope)
    case let error as AssertionRefusal: self.init(error, envelope)
    case let error as OAuthError: self.init(error)
    case let error as CustomTokenError: self.init(.refused(Self.message(error)), envelope)
    case let error as ServiceAccountError: self.init(Self.refusal(error), envelope)
    case let error as PublicKeyError:
      self.init(.invalidArgument(Self.message(error)), envelope)
    case let error as PublicKeyFileError:
      self.init(.invalidArgument(error.description), envelope)
    case let error as HashSchemeError: self.init(.refused(error.message), envelope)
    case let error as WireError: self.init(.invalidArgument(error.description), envelope)
    case let error as StoreError: self.init(error, envelope)
    case is NIOTooManyBytesError: self.init(.payloadTooLarge, envelope)
    default: self.init(unexpected: envelope)
    }
  }

  private init(_ error: APIError, _ envelope: Route.Envelope) {
    let detail = ErrorBody.Detail(message: error.message, reason: error.kind.reason)
    switch (error.kind, envelope) {
    case (.refused, .identityToolkit):
      self.init(.badRequest, error.message, details: [detail])
    case (.credentialMissing, .identityToolkit):
      self.init(
        .unauthorized, error.message, "UNAUTHENTICATED",
        details: [.init(message: "Login Required.", reason: "required", header: "Authorization")])
    case (.credentialRefused, .identityToolkit):
      self.init(
        .unauthorized, error.message, "UNAUTHENTICATED",
        details: [
          .init(message: "Invalid Credentials", reason: "authError", header: "Authorization")
        ])
    case (.invalidArgument, .identityToolkit), (.permissionDenied, .identityToolkit),
      (.payloadTooLarge, .identityToolkit), (.requestTimeout, .identityToolkit):
      self.init(error.kind.status, error.message, error.kind.statusName, details: [detail])
    default: self.init(error.kind.status, error.message, error.kind.statusName)
    }
  }

  private init(_ error: AccountsError, _ envelope: Route.Envelope) {
    switch error {
    case .overloaded:
      self.init(.serviceUnavailable, "The service is currently unavailable.", "UNAVAILABLE")
    case .consentRequired(let parts):
      let message = Self.message(error)
      self.init(
        .badRequest, message, details: [.init(message: message, reason: "invalid")],
        consentRequired: ConsentRequired(parts))
    default: self.init(.refused(Self.message(error)), envelope)
    }
  }

  private init(_ error: StoreError, _ envelope: Route.Envelope) {
    switch error {
    case .unavailable, .closed:
      self.init(.serviceUnavailable, "The service is currently unavailable.", "UNAVAILABLE")
    // Two transactions raced for one name, and the rule that would have refused the second saw
    // neither.
    case .conflict(.email): self.init(AccountsError.emailExists, envelope)
    case .conflict(.phoneNumber): self.init(AccountsError.phoneNumberExists, envelope)
    case .conflict(.uid): self.init(AccountsError.duplicateLocalID, envelope)
    case .conflict(.identity): self.init(AccountsError.identityLinkedElsewhere, envelope)
    case .conflict(.serviceAccount):
      self.init(Self.refusal(ServiceAccountError.otherProject), envelope)
    case .conflict(.project), .conflict(.apiKey), .conflict(.provider), .conflict(.other),
      .readOnly, .damaged:
      self.init(unexpected: envelope)
    }
  }

  /// Of a custom token, or of an assertion at the token endpoint.
  private init(_ error: AssertionRefusal, _ envelope: Route.Envelope) {
    switch envelope {
    case .identityToolkit: self.init(.refused(Self.message(error)), envelope)
    case .secureToken:
      self.init(OAuthError(code: "invalid_grant", description: Self.description(error)))
    }
  }

  private init(_ error: OAuthError) {
    status = .badRequest
    body = OAuthErrorBody(error: error.code, description: error.description)
  }

  private init(unexpected envelope: Route.Envelope) {
    self.init(.internalServerError, "Internal error encountered.", "INTERNAL")
    isUnexpected = true
  }

  private init(
    _ status: HTTPResponse.Status, _ message: String, _ name: String? = nil,
    details: [ErrorBody.Detail] = [], consentRequired: ConsentRequired? = nil
  ) {
    self.status = status
    var body = ErrorBody(code: status.code, message: message, status: name, details: details)
    body.consentRequired = consentRequired
    self.body = body
  }
}

// MARK: Messages

extension ErrorMapping {
  static func message(_ error: AccountsError) -> String {
    switch error {
    case .invalidIDToken: "INVALID_ID_TOKEN"
    case .tokenExpired: "TOKEN_EXPIRED"
    case .userNotFound: "USER_NOT_FOUND"
    case .userDisabled: "USER_DISABLED"
    case .invalidRefreshToken: "INVALID_REFRESH_TOKEN"
    case .invalidPendingToken: "INVALID_PENDING_TOKEN"
    case .invalidSessionCookie: "INVALID_SESSION_COOKIE"
    case .credentialTooOld: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
    case .duplicateCredential:
      "MISSING_OR_INVALID_NONCE : Duplicate credential received. "
        + "Please try again with a new credential."
    case .nonce(let fault): "MISSING_OR_INVALID_NONCE : \(detail(fault))"
    case .consentRequired(let parts):
      "CONSENT_REQUIRED : The person has to agree that these come together in one account: "
        + "\(parts.map(\.name).joined(separator: ", "))."
    case .emailNotFound: "EMAIL_NOT_FOUND"
    case .invalidPassword: "INVALID_PASSWORD"
    case .invalidLoginCredentials: "INVALID_LOGIN_CREDENTIALS"
    case .passwordLoginDisabled: "PASSWORD_LOGIN_DISABLED"
    case .adminOnlyOperation: "ADMIN_ONLY_OPERATION"
    case .providerDisabled:
      "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled."
    case .passwordsDisabled:
      "OPERATION_NOT_ALLOWED : Password sign-in is disabled for this project."
    case .newEmailUnverified:
      "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
    case .invalidDuration: "INVALID_DURATION"
    case .tooManyAttempts: "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later."
    case .emailLinksDisabled:
      "OPERATION_NOT_ALLOWED : Sign-in by email link is disabled for this project."
    case .invalidActionCode: "INVALID_OOB_CODE"
    case .expiredActionCode: "EXPIRED_OOB_CODE"
    case .emailMismatch:
      "INVALID_EMAIL : The email provided does not match the sign-in email address."
    case .missingEmail: "MISSING_EMAIL"
    case .tooManyActionCodes:
      "TOO_MANY_ATTEMPTS_TRY_LATER : Too many codes for this address have not been used."
    case .deliveryMissing:
      "OPERATION_NOT_ALLOWED : This server can't send mail. An administrator gets the link with "
        + "returnOobLink."
    case .emailExists: "EMAIL_EXISTS"
    case .phoneNumberExists: "PHONE_NUMBER_EXISTS"
    case .duplicateLocalID: "DUPLICATE_LOCAL_ID"
    case .weakPassword: "WEAK_PASSWORD : Password should be at least 6 characters"
    case .passwordTooLong:
      "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password cannot be longer than 4096 characters"
    case .passwordRequirements(let missing):
      "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: "
        + "[\(missing.map(message).joined(separator: ", "))]"
    case .identityLinkedElsewhere: "FEDERATED_USER_ID_ALREADY_LINKED"
    case .providerAlreadyLinked: "PROVIDER_ALREADY_LINKED"
    case .lastCredential:
      "OPERATION_NOT_ALLOWED : The last way to sign in can't be removed from an account."
    case .tooManyPasswordKeys:
      "INVALID_HASH_PARAMETERS : The project has had imports with too many different signer keys."
    case .tooManyToSort:
      "INVALID_ARGUMENT : So many accounts are sorted by USER_ID alone: list them with "
        + "accounts:batchGet."
    case .overloaded: "UNAVAILABLE"
    }
  }

  private static func detail(_ fault: NonceFault) -> String {
    switch fault {
    case .notIssued: "The nonce was not issued by this server for this project."
    case .expired: "The nonce has expired. Take another one."
    case .otherSession: "The nonce was issued to another session."
    case .used: "The nonce was used before. Take another one."
    case .ofClient: "This project takes nonces that POST /v1/nonces issued, and no client's own."
    case .missing: "Nonce is missing in the request, and this project takes no sign-in without one."
    }
  }

  private static func message(_ requirement: PasswordRequirement) -> String {
    switch requirement {
    case .minimumLength(let length): "Password must contain at least \(length) characters"
    case .maximumLength(let length): "Password may contain at most \(length) characters"
    case .lowercase: "Password must contain a lower case character"
    case .uppercase: "Password must contain an upper case character"
    case .digit: "Password must contain a numeric character"
    case .symbol: "Password must contain a non-alphanumeric character"
    }
  }

  static func message(_ error: FederationError) -> String {
    switch error {
    case .unsupportedProvider: "OPERATION_NOT_ALLOWED : \(configurationNotFound)"
    case .incompleteConfiguration(let provider, let setting):
      "OPERATION_NOT_ALLOWED : The configuration of \(provider) lacks \(setting)."
    case .missingIDToken, .accessTokenAlone:
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: an ID token is needed."
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
    case .stale(let issuedAt):
      "INVALID_IDP_RESPONSE : ID Token issued at \(issuedAt) is stale to sign-in."
    case .missingSubject(let claims):
      "INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: \(claims)"
    case .otherToken:
      "INVALID_IDP_RESPONSE : The ID Token was not issued with the access token or code in the "
        + "request."
    case .otherSubject:
      "INVALID_IDP_RESPONSE : The provider's user information is of another user than the token."
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
    case .clientIDForm: "INVALID_CONFIG : An app id of Facebook's is digits."
    case .issuerMissing: "MISSING_ISSUER : Issuer in OAuthIdpConfig cannot be empty."
    case .issuerForm: "INVALID_ISSUER : The issuer has to be an https URL without a fragment."
    case .secretMissing: "INVALID_CONFIG : client_secret cannot be empty for code flow."
    case .secretOfPublicClient: "INVALID_CONFIG : A public client has no client_secret."
    case .emailTrust:
      "INVALID_CONFIG : trustEmail of facebook.com can only be never: Facebook doesn't say that it "
        + "verified an address."
    case .listTooLong(let maximum): "INVALID_CONFIG : At most \(maximum) values in a list."
    case .textTooLong(let maximum): "INVALID_CONFIG : At most \(maximum) bytes in a field."
    }
  }

  static func message(_ error: CustomClaimsError) -> String {
    switch error {
    case .invalid: "INVALID_CLAIMS"
    case .tooLarge: "CLAIMS_TOO_LARGE"
    case .forbidden(let name): "FORBIDDEN_CLAIM : \(name)"
    }
  }

  /// Of a custom token. Which check failed isn't told, as the real service doesn't.
  static func message(_ error: AssertionRefusal) -> String {
    switch error {
    case .unknownIssuer: "CREDENTIAL_MISMATCH"
    case .token(.segments):
      "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required."
    case .token, .notAdministrator, .used: "INVALID_CUSTOM_TOKEN"
    }
  }

  /// Of an assertion at the token endpoint. ASCII without quotes and backslashes (RFC 6749 §5.2).
  static func description(_ error: AssertionRefusal) -> String {
    switch error {
    case .unknownIssuer: "No service account has the name in iss, or not with this key any more."
    case .token(let code): code.explanation
    case .notAdministrator:
      "The service account is no administrator. The command: gatehouse service-accounts grant "
        + "EMAIL admin"
    case .used: "The assertion was used before, and its jti says that it is good once."
    }
  }

  static func message(_ error: CustomTokenError) -> String {
    switch error {
    case .uidMissing: "MISSING_IDENTIFIER"
    case .uidLength:
      "INVALID_IDENTIFIER : Invalid user ID length. Expect to have length between 1 and 128."
    case .uidCharacters: "INVALID_IDENTIFIER : A user ID has no control characters."
    case .tenant: "TENANT_ID_MISMATCH"
    }
  }

  static func refusal(_ error: ServiceAccountError) -> APIError {
    switch error {
    case .unknown: .notFound("There is no such service account.")
    case .exists: .alreadyExists("The service account exists already.")
    case .otherProject:
      .permissionDenied("The service account's email belongs to another project.")
    case .administrator:
      .permissionDenied(
        "The service account is an administrator: its keys are changed by the command "
          + "`gatehouse service-accounts keys`.")
    case .tooManyKeys:
      .invalidArgument(
        "A service account has at most \(ServiceAccount.maximumKeys) keys: delete one first.")
    case .tooManyAccounts:
      .invalidArgument(
        "A project has at most \(ServiceAccount.maximumPerProject) service accounts.")
    }
  }

  static func message(_ error: PublicKeyError) -> String {
    switch error.reason {
    case .tooWeak: "The key is too weak: RSA of at least 2048 bits is needed."
    case .tooLarge: "The key is too large: RSA of at most 8192 bits is accepted."
    case .exponent: "The key's exponent is not accepted."
    case .algorithm, .malformed, .use: "The key is not an RSA public key."
    }
  }

  static let configurationNotFound = "The identity provider configuration is not found."
}

extension APIError.Kind {
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .refused, .invalidConfiguration, .invalidArgument: .badRequest
    case .permissionDenied: .forbidden
    case .credentialMissing, .credentialRefused: .unauthorized
    case .notFound: .notFound
    case .alreadyExists: .conflict
    case .payloadTooLarge: .contentTooLarge
    case .requestTimeout: .requestTimeout
    }
  }

  /// A name of `google.rpc.Code`.
  fileprivate var statusName: String {
    switch self {
    case .refused, .invalidConfiguration, .invalidArgument, .payloadTooLarge: "INVALID_ARGUMENT"
    case .permissionDenied: "PERMISSION_DENIED"
    case .credentialMissing, .credentialRefused: "UNAUTHENTICATED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .requestTimeout: "DEADLINE_EXCEEDED"
    }
  }

  fileprivate var reason: String {
    switch self {
    case .permissionDenied: "forbidden"
    case .notFound: "notFound"
    case .payloadTooLarge: "uploadTooLarge"
    case .invalidArgument: "badRequest"
    default: "invalid"
    }
  }
}
