extension AuthErrorCode {
  /// The case for a code of the REST protocol, like `USER_DISABLED`.
  ///
  /// - Returns: nil for a code without a case. It becomes ``internalError``, whose underlying error
  ///   has the server's code.
  package init?(serverCode: String) {
    guard let code = Self.byServerCode[serverCode] else { return nil }
    self = code
  }

  /// The codes that Firebase's SDK converts, and some that it treats as `internalError`:
  /// `INVALID_CREDENTIAL_OR_PROVIDER_ID`, `INVALID_NEW_EMAIL`, `PROVIDER_ALREADY_LINKED`, and for
  /// phone numbers `INVALID_TEMPORARY_PROOF`, `INVALID_MFA_PHONE_NUMBER`, `MISSING_PHONE_NUMBER`, `MISSING_CODE`,
  /// `MISSING_SESSION_INFO`.
  private static let byServerCode: [String: AuthErrorCode] = [
    "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
    "CREDENTIAL_MISMATCH": .customTokenMismatch,
    "INVALID_IDP_RESPONSE": .invalidCredential,
    "INVALID_PENDING_TOKEN": .invalidCredential,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredential,
    "INVALID_CREDENTIAL_OR_PROVIDER_ID": .invalidCredential,
    "USER_DISABLED": .userDisabled,
    "OPERATION_NOT_ALLOWED": .operationNotAllowed,
    "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
    "EMAIL_EXISTS": .emailAlreadyInUse,
    "INVALID_IDENTIFIER": .invalidEmail,
    "INVALID_EMAIL": .invalidEmail,
    "INVALID_NEW_EMAIL": .invalidEmail,
    "INVALID_PASSWORD": .wrongPassword,
    "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
    "USER_NOT_FOUND": .userNotFound,
    "EMAIL_NOT_FOUND": .userNotFound,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
    "PROVIDER_ALREADY_LINKED": .providerAlreadyLinked,
    "INVALID_ID_TOKEN": .invalidUserToken,
    "TOKEN_EXPIRED": .userTokenExpired,
    "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
    "WEAK_PASSWORD": .weakPassword,
    "EXPIRED_OOB_CODE": .expiredActionCode,
    "INVALID_OOB_CODE": .invalidActionCode,
    "INVALID_MESSAGE_PAYLOAD": .invalidMessagePayload,
    "INVALID_SENDER": .invalidSender,
    "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail,
    "MISSING_EMAIL": .missingEmail,
    "MISSING_IOS_BUNDLE_ID": .missingIosBundleID,
    "MISSING_ANDROID_PACKAGE_NAME": .missingAndroidPackageName,
    "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
    "INVALID_CONTINUE_URI": .invalidContinueURI,
    "MISSING_CONTINUE_URI": .missingContinueURI,
    "INVALID_PHONE_NUMBER": .invalidPhoneNumber,
    "INVALID_MFA_PHONE_NUMBER": .invalidPhoneNumber,
    "MISSING_PHONE_NUMBER": .missingPhoneNumber,
    "MISSING_CODE": .missingVerificationCode,
    "MISSING_SESSION_INFO": .missingVerificationID,
    "INVALID_TEMPORARY_PROOF": .invalidCredential,
    "INVALID_CODE": .invalidVerificationCode,
    "INVALID_SESSION_INFO": .invalidVerificationID,
    "MISSING_APP_CREDENTIAL": .missingAppCredential,
    "INVALID_APP_CREDENTIAL": .invalidAppCredential,
    "SESSION_EXPIRED": .sessionExpired,
    "QUOTA_EXCEEDED": .quotaExceeded,
    "MISSING_IOS_APP_TOKEN": .missingAppToken,
    "APP_NOT_VERIFIED": .appNotVerified,
    "CAPTCHA_CHECK_FAILED": .captchaCheckFailed,
    "INVALID_PROVIDER_ID": .invalidProviderID,
    "TENANT_ID_MISMATCH": .tenantIDMismatch,
    "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
    "MISSING_MFA_PENDING_CREDENTIAL": .missingMultiFactorSession,
    "MISSING_MFA_ENROLLMENT_ID": .missingMultiFactorInfo,
    "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
    "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound,
    "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
    "UNVERIFIED_EMAIL": .unverifiedEmail,
    "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
    "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded,
    "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor,
    "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
    "MISSING_CLIENT_IDENTIFIER": .missingClientIdentifier,
    "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
    "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
    "INVALID_HOSTING_LINK_DOMAIN": .invalidHostingLinkDomain,
  ]
}
