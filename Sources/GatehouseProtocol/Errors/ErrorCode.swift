/// An error code for clients: the text before the first ` : ` of an error's message.
///
/// Contains every code that this server writes in such a message. A client may receive other codes
/// from a newer server, so it keeps the code of a response as text. Files that can't import this
/// target compare that text with copies of the codes: in `GatehouseAuth`, `GatehouseUI`,
/// `GatehouseVerifier`, `Examples` and the welcome page. `COPIES` in `scripts/house-rules` names these
/// files, and the script fails if one has a code that isn't here. A test compares
/// `AuthErrorCode+Server.swift`.
public enum ErrorCode: String, CaseIterable, Sendable {
  // The request's members, in general.
  case invalidArgument = "INVALID_ARGUMENT"
  case unexpectedParameter = "UNEXPECTED_PARAMETER"
  case operationNotAllowed = "OPERATION_NOT_ALLOWED"
  case insufficientPermission = "INSUFFICIENT_PERMISSION"
  case missingProjectID = "MISSING_PROJECT_ID"
  case projectNotFound = "PROJECT_NOT_FOUND"
  case unsupportedTenantOperation = "UNSUPPORTED_TENANT_OPERATION"
  case tenantIDMismatch = "TENANT_ID_MISMATCH"
  case tooManyAttemptsTryLater = "TOO_MANY_ATTEMPTS_TRY_LATER"
  case adminOnlyOperation = "ADMIN_ONLY_OPERATION"
  case unavailable = "UNAVAILABLE"

  // Tokens and sessions.
  case missingIDToken = "MISSING_ID_TOKEN"
  case invalidIDToken = "INVALID_ID_TOKEN"
  case tokenExpired = "TOKEN_EXPIRED"
  case missingRefreshToken = "MISSING_REFRESH_TOKEN"
  case invalidRefreshToken = "INVALID_REFRESH_TOKEN"
  case missingGrantType = "MISSING_GRANT_TYPE"
  case invalidGrantType = "INVALID_GRANT_TYPE"
  case missingCustomToken = "MISSING_CUSTOM_TOKEN"
  case invalidCustomToken = "INVALID_CUSTOM_TOKEN"
  case credentialMismatch = "CREDENTIAL_MISMATCH"
  case credentialTooOldLoginAgain = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
  case invalidSessionCookie = "INVALID_SESSION_COOKIE"
  case invalidDuration = "INVALID_DURATION"

  // Accounts.
  case userNotFound = "USER_NOT_FOUND"
  case userDisabled = "USER_DISABLED"
  case userMismatch = "USER_MISMATCH"
  case missingLocalID = "MISSING_LOCAL_ID"
  case invalidLocalID = "INVALID_LOCAL_ID"
  case duplicateLocalID = "DUPLICATE_LOCAL_ID"
  case missingIdentifier = "MISSING_IDENTIFIER"
  case invalidIdentifier = "INVALID_IDENTIFIER"
  case invalidProfileAttribute = "INVALID_PROFILE_ATTRIBUTE"
  case invalidClaims = "INVALID_CLAIMS"
  case claimsTooLarge = "CLAIMS_TOO_LARGE"
  case forbiddenClaim = "FORBIDDEN_CLAIM"

  // Email addresses and passwords.
  case missingEmail = "MISSING_EMAIL"
  case invalidEmail = "INVALID_EMAIL"
  case emailExists = "EMAIL_EXISTS"
  case emailNotFound = "EMAIL_NOT_FOUND"
  case missingNewEmail = "MISSING_NEW_EMAIL"
  case invalidNewEmail = "INVALID_NEW_EMAIL"
  case missingPassword = "MISSING_PASSWORD"
  case invalidPassword = "INVALID_PASSWORD"
  case invalidLoginCredentials = "INVALID_LOGIN_CREDENTIALS"
  case passwordLoginDisabled = "PASSWORD_LOGIN_DISABLED"
  case weakPassword = "WEAK_PASSWORD"
  case passwordDoesNotMeetRequirements = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"

  // Action codes sent by email, and their links.
  case missingReqType = "MISSING_REQ_TYPE"
  case invalidReqType = "INVALID_REQ_TYPE"
  case missingOOBCode = "MISSING_OOB_CODE"
  case invalidOOBCode = "INVALID_OOB_CODE"
  case expiredOOBCode = "EXPIRED_OOB_CODE"
  case missingContinueURI = "MISSING_CONTINUE_URI"
  case invalidContinueURI = "INVALID_CONTINUE_URI"
  case unauthorizedDomain = "UNAUTHORIZED_DOMAIN"
  case invalidHostingLinkDomain = "INVALID_HOSTING_LINK_DOMAIN"
  case invalidIOSBundleID = "INVALID_IOS_BUNDLE_ID"
  case missingAndroidPackageName = "MISSING_ANDROID_PACKAGE_NAME"
  case invalidAndroidPackageName = "INVALID_ANDROID_PACKAGE_NAME"
  case invalidAndroidMinimumVersion = "INVALID_ANDROID_MINIMUM_VERSION"

  // Phone numbers.
  case missingPhoneNumber = "MISSING_PHONE_NUMBER"
  case invalidPhoneNumber = "INVALID_PHONE_NUMBER"
  case phoneNumberExists = "PHONE_NUMBER_EXISTS"
  case invalidTestingPhoneNumber = "INVALID_TESTING_PHONE_NUMBER"
  case missingSessionInfo = "MISSING_SESSION_INFO"
  case invalidSessionInfo = "INVALID_SESSION_INFO"
  case sessionExpired = "SESSION_EXPIRED"
  case missingCode = "MISSING_CODE"
  case invalidCode = "INVALID_CODE"
  case invalidTemporaryProof = "INVALID_TEMPORARY_PROOF"
  case quotaExceeded = "QUOTA_EXCEEDED"

  // Passkeys.
  case missingAuthenticatorResponse = "MISSING_AUTHENTICATOR_RESPONSE"
  case invalidAuthenticatorResponse = "INVALID_AUTHENTICATOR_RESPONSE"
  case invalidCredentialID = "INVALID_CREDENTIAL_ID"
  case passkeyEnrollmentNotFound = "PASSKEY_ENROLLMENT_NOT_FOUND"
  case passkeyCredentialNotFound = "PASSKEY_CREDENTIAL_NOT_FOUND"
  case credentialAlreadyInUse = "CREDENTIAL_ALREADY_IN_USE"

  // Second factors.
  case missingMFAPendingCredential = "MISSING_MFA_PENDING_CREDENTIAL"
  case invalidMFAPendingCredential = "INVALID_MFA_PENDING_CREDENTIAL"
  case missingMFAEnrollmentID = "MISSING_MFA_ENROLLMENT_ID"
  case mfaEnrollmentNotFound = "MFA_ENROLLMENT_NOT_FOUND"
  case secondFactorExists = "SECOND_FACTOR_EXISTS"
  case secondFactorLimitExceeded = "SECOND_FACTOR_LIMIT_EXCEEDED"
  case unsupportedFirstFactor = "UNSUPPORTED_FIRST_FACTOR"
  case unverifiedEmail = "UNVERIFIED_EMAIL"
  case invalidMFAEnrollmentID = "INVALID_MFA_ENROLLMENT_ID"
  case duplicateMFAEnrollmentID = "DUPLICATE_MFA_ENROLLMENT_ID"
  case missingCredential = "MISSING_CREDENTIAL"
  case invalidMFAPhoneNumber = "INVALID_MFA_PHONE_NUMBER"
  case invalidRecoveryCode = "INVALID_RECOVERY_CODE"

  // Sign-in with a provider.
  case missingRequestURI = "MISSING_REQUEST_URI"
  case invalidRequestURI = "INVALID_REQUEST_URI"
  case invalidIDPResponse = "INVALID_IDP_RESPONSE"
  case invalidCredentialOrProviderID = "INVALID_CREDENTIAL_OR_PROVIDER_ID"
  case missingOrInvalidNonce = "MISSING_OR_INVALID_NONCE"
  case invalidPendingToken = "INVALID_PENDING_TOKEN"
  case invalidIfNew = "INVALID_IF_NEW"
  case blockingFunctionErrorResponse = "BLOCKING_FUNCTION_ERROR_RESPONSE"
  case consentRequired = "CONSENT_REQUIRED"
  case invalidConsent = "INVALID_CONSENT"
  case federatedUserIDAlreadyLinked = "FEDERATED_USER_ID_ALREADY_LINKED"
  case providerAlreadyLinked = "PROVIDER_ALREADY_LINKED"
  case missingProviderID = "MISSING_PROVIDER_ID"
  case invalidProviderID = "INVALID_PROVIDER_ID"
  case missingRawID = "MISSING_RAW_ID"
  case invalidFederatedUserID = "INVALID_FEDERATED_USER_ID"
  case missingToken = "MISSING_TOKEN"
  case invalidTokenType = "INVALID_TOKEN_TYPE"

  // Configuration.
  case invalidConfig = "INVALID_CONFIG"
  case invalidAuthorizedDomain = "INVALID_AUTHORIZED_DOMAIN"
  case invalidBlockingFunction = "INVALID_BLOCKING_FUNCTION"
  case invalidConfigID = "INVALID_CONFIG_ID"
  case configurationExists = "CONFIGURATION_EXISTS"
  case configurationNotFound = "CONFIGURATION_NOT_FOUND"
  case missingOAuthClientID = "MISSING_OAUTH_CLIENT_ID"
  case missingIssuer = "MISSING_ISSUER"
  case invalidIssuer = "INVALID_ISSUER"

  // Many accounts at once.
  case missingUserAccount = "MISSING_USER_ACCOUNT"
  case maximumUserCountExceeded = "MAXIMUM_USER_COUNT_EXCEEDED"
  case duplicateEmail = "DUPLICATE_EMAIL"
  case duplicateRawID = "DUPLICATE_RAW_ID"
  case localIDListExceedsLimit = "LOCAL_ID_LIST_EXCEEDS_LIMIT"
  case notDisabled = "NOT_DISABLED"
  case invalidPageSelection = "INVALID_PAGE_SELECTION"

  // Imported password hashes.
  case invalidHashAlgorithm = "INVALID_HASH_ALGORITHM"
  case invalidHashParameter = "INVALID_HASH_PARAMETER"
  case invalidHashParameters = "INVALID_HASH_PARAMETERS"
  case emptyHashKey = "EMPTY_HASH_KEY"
  case invalidHashSaltSeparator = "INVALID_HASH_SALT_SEPARATOR"
  case invalidHashRounds = "INVALID_HASH_ROUNDS"
  case invalidHashMemoryCosts = "INVALID_HASH_MEMORY_COSTS"
}

extension ErrorCode {
  /// The text before the first colon of a message, even if the code is unknown here.
  public static func text(of message: String) -> String {
    let code = message.utf8.prefix { $0 != UInt8(ascii: ":") }
    let end = code.lastIndex { $0 != UInt8(ascii: " ") }
    return String(decoding: end.map { code[...$0] } ?? code.prefix(0), as: UTF8.self)
  }
}
