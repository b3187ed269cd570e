import GatehouseAuth
import Testing

/// Every case with its number, its name, and the server codes that lead to it, as in Firebase
/// 12.19.
struct AuthErrorRow: Sendable, CustomTestStringConvertible {
  var code: AuthErrorCode
  var number: Int
  var name: String
  var serverCodes: [String]

  init(_ code: AuthErrorCode, _ number: Int, _ name: String, _ serverCodes: String...) {
    self.code = code
    self.number = number
    self.name = name
    self.serverCodes = serverCodes
  }

  var testDescription: String { name }

  static let all: [AuthErrorRow] = [
    AuthErrorRow(.invalidCustomToken, 17000, "ERROR_INVALID_CUSTOM_TOKEN", "INVALID_CUSTOM_TOKEN"),
    AuthErrorRow(.customTokenMismatch, 17002, "ERROR_CUSTOM_TOKEN_MISMATCH", "CREDENTIAL_MISMATCH"),
    AuthErrorRow(
      .invalidCredential, 17004, "ERROR_INVALID_CREDENTIAL", "INVALID_IDP_RESPONSE",
      "INVALID_PENDING_TOKEN", "INVALID_LOGIN_CREDENTIALS"),
    AuthErrorRow(.userDisabled, 17005, "ERROR_USER_DISABLED", "USER_DISABLED"),
    AuthErrorRow(
      .operationNotAllowed, 17006, "ERROR_OPERATION_NOT_ALLOWED", "OPERATION_NOT_ALLOWED",
      "PASSWORD_LOGIN_DISABLED"),
    AuthErrorRow(.emailAlreadyInUse, 17007, "ERROR_EMAIL_ALREADY_IN_USE", "EMAIL_EXISTS"),
    AuthErrorRow(
      .invalidEmail, 17008, "ERROR_INVALID_EMAIL", "INVALID_IDENTIFIER", "INVALID_EMAIL"),
    AuthErrorRow(.wrongPassword, 17009, "ERROR_WRONG_PASSWORD", "INVALID_PASSWORD"),
    AuthErrorRow(.tooManyRequests, 17010, "ERROR_TOO_MANY_REQUESTS", "TOO_MANY_ATTEMPTS_TRY_LATER"),
    AuthErrorRow(.userNotFound, 17011, "ERROR_USER_NOT_FOUND", "USER_NOT_FOUND", "EMAIL_NOT_FOUND"),
    AuthErrorRow(
      .accountExistsWithDifferentCredential, 17012, "ERROR_ACCOUNT_EXISTS_WITH_DIFFERENT_CREDENTIAL"
    ),
    AuthErrorRow(
      .requiresRecentLogin, 17014, "ERROR_REQUIRES_RECENT_LOGIN", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"),
    AuthErrorRow(.providerAlreadyLinked, 17015, "ERROR_PROVIDER_ALREADY_LINKED"),
    AuthErrorRow(.noSuchProvider, 17016, "ERROR_NO_SUCH_PROVIDER"),
    AuthErrorRow(.invalidUserToken, 17017, "ERROR_INVALID_USER_TOKEN", "INVALID_ID_TOKEN"),
    AuthErrorRow(.networkError, 17020, "ERROR_NETWORK_REQUEST_FAILED"),
    AuthErrorRow(.userTokenExpired, 17021, "ERROR_USER_TOKEN_EXPIRED", "TOKEN_EXPIRED"),
    AuthErrorRow(.invalidAPIKey, 17023, "ERROR_INVALID_API_KEY"),
    AuthErrorRow(.userMismatch, 17024, "ERROR_USER_MISMATCH"),
    AuthErrorRow(
      .credentialAlreadyInUse, 17025, "ERROR_CREDENTIAL_ALREADY_IN_USE",
      "FEDERATED_USER_ID_ALREADY_LINKED"),
    AuthErrorRow(.weakPassword, 17026, "ERROR_WEAK_PASSWORD", "WEAK_PASSWORD"),
    AuthErrorRow(.appNotAuthorized, 17028, "ERROR_APP_NOT_AUTHORIZED"),
    AuthErrorRow(.expiredActionCode, 17029, "ERROR_EXPIRED_ACTION_CODE", "EXPIRED_OOB_CODE"),
    AuthErrorRow(.invalidActionCode, 17030, "ERROR_INVALID_ACTION_CODE", "INVALID_OOB_CODE"),
    AuthErrorRow(
      .invalidMessagePayload, 17031, "ERROR_INVALID_MESSAGE_PAYLOAD", "INVALID_MESSAGE_PAYLOAD"),
    AuthErrorRow(.invalidSender, 17032, "ERROR_INVALID_SENDER", "INVALID_SENDER"),
    AuthErrorRow(
      .invalidRecipientEmail, 17033, "ERROR_INVALID_RECIPIENT_EMAIL", "INVALID_RECIPIENT_EMAIL"),
    AuthErrorRow(.missingEmail, 17034, "ERROR_MISSING_EMAIL", "MISSING_EMAIL"),
    AuthErrorRow(
      .missingIosBundleID, 17036, "ERROR_MISSING_IOS_BUNDLE_ID", "MISSING_IOS_BUNDLE_ID"),
    AuthErrorRow(
      .missingAndroidPackageName, 17037, "ERROR_MISSING_ANDROID_PKG_NAME",
      "MISSING_ANDROID_PACKAGE_NAME"),
    AuthErrorRow(.unauthorizedDomain, 17038, "ERROR_UNAUTHORIZED_DOMAIN", "UNAUTHORIZED_DOMAIN"),
    AuthErrorRow(.invalidContinueURI, 17039, "ERROR_INVALID_CONTINUE_URI", "INVALID_CONTINUE_URI"),
    AuthErrorRow(.missingContinueURI, 17040, "ERROR_MISSING_CONTINUE_URI", "MISSING_CONTINUE_URI"),
    AuthErrorRow(.missingPhoneNumber, 17041, "ERROR_MISSING_PHONE_NUMBER", "MISSING_PHONE_NUMBER"),
    AuthErrorRow(.invalidPhoneNumber, 17042, "ERROR_INVALID_PHONE_NUMBER", "INVALID_PHONE_NUMBER"),
    AuthErrorRow(
      .missingVerificationCode, 17043, "ERROR_MISSING_VERIFICATION_CODE", "MISSING_CODE"),
    AuthErrorRow(
      .invalidVerificationCode, 17044, "ERROR_INVALID_VERIFICATION_CODE", "INVALID_CODE"),
    AuthErrorRow(
      .missingVerificationID, 17045, "ERROR_MISSING_VERIFICATION_ID", "MISSING_SESSION_INFO"),
    AuthErrorRow(
      .invalidVerificationID, 17046, "ERROR_INVALID_VERIFICATION_ID", "INVALID_SESSION_INFO"),
    AuthErrorRow(.missingAppCredential, 17047, "MISSING_APP_CREDENTIAL", "MISSING_APP_CREDENTIAL"),
    AuthErrorRow(.invalidAppCredential, 17048, "INVALID_APP_CREDENTIAL", "INVALID_APP_CREDENTIAL"),
    AuthErrorRow(.sessionExpired, 17051, "ERROR_SESSION_EXPIRED", "SESSION_EXPIRED"),
    AuthErrorRow(.quotaExceeded, 17052, "ERROR_QUOTA_EXCEEDED", "QUOTA_EXCEEDED"),
    AuthErrorRow(.missingAppToken, 17053, "ERROR_MISSING_APP_TOKEN", "MISSING_IOS_APP_TOKEN"),
    AuthErrorRow(.notificationNotForwarded, 17054, "ERROR_NOTIFICATION_NOT_FORWARDED"),
    AuthErrorRow(.appNotVerified, 17055, "ERROR_APP_NOT_VERIFIED", "APP_NOT_VERIFIED"),
    AuthErrorRow(.captchaCheckFailed, 17056, "ERROR_CAPTCHA_CHECK_FAILED", "CAPTCHA_CHECK_FAILED"),
    AuthErrorRow(.webContextAlreadyPresented, 17057, "ERROR_WEB_CONTEXT_ALREADY_PRESENTED"),
    AuthErrorRow(.webContextCancelled, 17058, "ERROR_WEB_CONTEXT_CANCELLED"),
    AuthErrorRow(.appVerificationUserInteractionFailure, 17059, "ERROR_APP_VERIFICATION_FAILED"),
    AuthErrorRow(.invalidClientID, 17060, "ERROR_INVALID_CLIENT_ID"),
    AuthErrorRow(.webNetworkRequestFailed, 17061, "ERROR_WEB_NETWORK_REQUEST_FAILED"),
    AuthErrorRow(.webInternalError, 17062, "ERROR_WEB_INTERNAL_ERROR"),
    AuthErrorRow(.webSignInUserInteractionFailure, 17063, "ERROR_WEB_USER_INTERACTION_FAILURE"),
    AuthErrorRow(.localPlayerNotAuthenticated, 17066, "ERROR_LOCAL_PLAYER_NOT_AUTHENTICATED"),
    AuthErrorRow(.nullUser, 17067, "ERROR_NULL_USER"),
    AuthErrorRow(.invalidProviderID, 17071, "ERROR_INVALID_PROVIDER_ID", "INVALID_PROVIDER_ID"),
    AuthErrorRow(.tenantIDMismatch, 17072, "ERROR_TENANT_ID_MISMATCH", "TENANT_ID_MISMATCH"),
    AuthErrorRow(
      .unsupportedTenantOperation, 17073, "ERROR_UNSUPPORTED_TENANT_OPERATION",
      "UNSUPPORTED_TENANT_OPERATION"),
    AuthErrorRow(.rejectedCredential, 17075, "ERROR_REJECTED_CREDENTIAL"),
    AuthErrorRow(.gameKitNotLinked, 17076, "ERROR_GAME_KIT_NOT_LINKED"),
    AuthErrorRow(.secondFactorRequired, 17078, "ERROR_SECOND_FACTOR_REQUIRED"),
    AuthErrorRow(
      .missingMultiFactorSession, 17081, "ERROR_MISSING_MULTI_FACTOR_SESSION",
      "MISSING_MFA_PENDING_CREDENTIAL"),
    AuthErrorRow(
      .missingMultiFactorInfo, 17082, "ERROR_MISSING_MULTI_FACTOR_INFO", "MISSING_MFA_ENROLLMENT_ID"
    ),
    AuthErrorRow(
      .invalidMultiFactorSession, 17083, "ERROR_INVALID_MULTI_FACTOR_SESSION",
      "INVALID_MFA_PENDING_CREDENTIAL"),
    AuthErrorRow(
      .multiFactorInfoNotFound, 17084, "ERROR_MULTI_FACTOR_INFO_NOT_FOUND",
      "MFA_ENROLLMENT_NOT_FOUND"),
    AuthErrorRow(
      .adminRestrictedOperation, 17085, "ERROR_ADMIN_RESTRICTED_OPERATION", "ADMIN_ONLY_OPERATION"),
    AuthErrorRow(.unverifiedEmail, 17086, "ERROR_UNVERIFIED_EMAIL", "UNVERIFIED_EMAIL"),
    AuthErrorRow(
      .secondFactorAlreadyEnrolled, 17087, "ERROR_SECOND_FACTOR_ALREADY_ENROLLED",
      "SECOND_FACTOR_EXISTS"),
    AuthErrorRow(
      .maximumSecondFactorCountExceeded, 17088, "ERROR_MAXIMUM_SECOND_FACTOR_COUNT_EXCEEDED",
      "SECOND_FACTOR_LIMIT_EXCEEDED"),
    AuthErrorRow(
      .unsupportedFirstFactor, 17089, "ERROR_UNSUPPORTED_FIRST_FACTOR", "UNSUPPORTED_FIRST_FACTOR"),
    AuthErrorRow(
      .emailChangeNeedsVerification, 17090, "ERROR_EMAIL_CHANGE_NEEDS_VERIFICATION",
      "EMAIL_CHANGE_NEEDS_VERIFICATION"),
    AuthErrorRow(
      .missingClientIdentifier, 17093, "ERROR_MISSING_CLIENT_IDENTIFIER",
      "MISSING_CLIENT_IDENTIFIER"),
    AuthErrorRow(
      .missingOrInvalidNonce, 17094, "ERROR_MISSING_OR_INVALID_NONCE", "MISSING_OR_INVALID_NONCE"),
    AuthErrorRow(
      .blockingCloudFunctionError, 17105, "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR",
      "BLOCKING_FUNCTION_ERROR_RESPONSE"),
    AuthErrorRow(.recaptchaNotEnabled, 17200, "ERROR_RECAPTCHA_NOT_ENABLED"),
    AuthErrorRow(.missingRecaptchaToken, 17201, "ERROR_MISSING_RECAPTCHA_TOKEN"),
    AuthErrorRow(.invalidRecaptchaToken, 17202, "ERROR_INVALID_RECAPTCHA_TOKEN"),
    AuthErrorRow(.invalidRecaptchaAction, 17203, "ERROR_INVALID_RECAPTCHA_ACTION"),
    AuthErrorRow(.missingClientType, 17204, "ERROR_MISSING_CLIENT_TYPE"),
    AuthErrorRow(.missingRecaptchaVersion, 17205, "ERROR_MISSING_RECAPTCHA_VERSION"),
    AuthErrorRow(.invalidRecaptchaVersion, 17206, "ERROR_INVALID_RECAPTCHA_VERSION"),
    AuthErrorRow(.invalidReqType, 17207, "ERROR_INVALID_REQ_TYPE"),
    AuthErrorRow(.recaptchaSDKNotLinked, 17208, "ERROR_RECAPTCHA_SDK_NOT_LINKED"),
    AuthErrorRow(.recaptchaSiteKeyMissing, 17209, "ERROR_RECAPTCHA_SITE_KEY_MISSING"),
    AuthErrorRow(.recaptchaActionCreationFailed, 17210, "ERROR_RECAPTCHA_ACTION_CREATION_FAILED"),
    AuthErrorRow(
      .passwordDoesNotMeetRequirements, 17211, "ERROR_PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
      "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"),
    AuthErrorRow(
      .missingPasskeyEnrollment, 17212, "ERROR_PASSKEY_ENROLLMENT_NOT_FOUND",
      "PASSKEY_ENROLLMENT_NOT_FOUND", "PASSKEY_CREDENTIAL_NOT_FOUND"),
    AuthErrorRow(
      .invalidAuthenticatorResponse, 17213, "ERROR_INVALID_AUTHENTICATOR_RESPONSE",
      "INVALID_AUTHENTICATOR_RESPONSE", "MISSING_AUTHENTICATOR_RESPONSE", "INVALID_CREDENTIAL_ID"),
    AuthErrorRow(
      .invalidHostingLinkDomain, 17214, "ERROR_INVALID_HOSTING_LINK_DOMAIN",
      "INVALID_HOSTING_LINK_DOMAIN"),
    AuthErrorRow(.keychainError, 17995, "ERROR_KEYCHAIN_ERROR"),
    AuthErrorRow(.internalError, 17999, "ERROR_INTERNAL_ERROR"),
    AuthErrorRow(.malformedJWT, 18000, "ERROR_MALFORMED_JWT"),
  ]
}
