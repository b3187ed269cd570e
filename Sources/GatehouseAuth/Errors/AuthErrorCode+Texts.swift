extension AuthErrorCode {
  /// The message of the error if the server sent no more precise one. In English.
  package var text: String {
    switch self {
    case .invalidCustomToken:
      "The custom token is malformed, expired, or not signed for this project."
    case .customTokenMismatch:
      "The custom token belongs to another project."
    case .invalidCredential:
      "The credential is malformed, has expired, or was rejected."
    case .userDisabled:
      "An administrator has disabled this account."
    case .operationNotAllowed:
      "This sign-in method is not enabled for the project."
    case .emailAlreadyInUse:
      "Another account uses this email address."
    case .invalidEmail:
      "The email address is malformed."
    case .wrongPassword:
      "The password is wrong, or the account has none."
    case .tooManyRequests:
      "There were too many attempts. Try again later."
    case .userNotFound:
      "There is no account for this user. It may have been deleted."
    case .accountExistsWithDifferentCredential:
      "An account with this email address exists. Sign in to it with its own sign-in method first."
    case .requiresRecentLogin:
      "This operation requires a recent sign-in. Sign in again, then retry."
    case .providerAlreadyLinked:
      "The account is already linked to this provider."
    case .noSuchProvider:
      "The account is not linked to this provider."
    case .invalidUserToken:
      "The session's token is not valid. Sign in again."
    case .networkError:
      "The server could not be reached."
    case .userTokenExpired:
      "The session has ended. Sign in again."
    case .invalidAPIKey:
      "The server does not know this API key."
    case .userMismatch:
      "The credential does not belong to the signed-in user."
    case .credentialAlreadyInUse:
      "Another account is linked to this credential."
    case .weakPassword:
      "The password is too short or too easy to guess."
    case .appNotAuthorized:
      "This app is not allowed to use the API key."
    case .expiredActionCode:
      "The code has expired. Request a new one."
    case .invalidActionCode:
      "The code is malformed, or was already used."
    case .invalidMessagePayload:
      "The email template for this request is not valid."
    case .invalidSender:
      "The sender of the email for this request is not valid."
    case .invalidRecipientEmail:
      "The recipient of the email for this request is not valid."
    case .missingEmail:
      "An email address is missing."
    case .missingIosBundleID:
      "The bundle id is missing."
    case .missingAndroidPackageName:
      "The Android package name is missing."
    case .unauthorizedDomain:
      "The domain of the link is not among the project's authorized domains."
    case .invalidContinueURI:
      "The continue URL is not valid."
    case .missingContinueURI:
      "The continue URL is missing."
    case .missingPhoneNumber:
      "A phone number is missing."
    case .invalidPhoneNumber:
      "The phone number is not valid. It begins with a plus sign and the country code."
    case .missingVerificationCode:
      "The verification code is missing."
    case .invalidVerificationCode:
      "The verification code is wrong."
    case .missingVerificationID:
      "The verification id is missing."
    case .invalidVerificationID:
      "The verification id is not valid."
    case .missingAppCredential:
      "The credential that verifies the app is missing."
    case .invalidAppCredential:
      "The credential that verifies the app is not valid."
    case .sessionExpired:
      "The verification code has expired. Request a new one."
    case .quotaExceeded:
      "The project's quota for this operation is exhausted."
    case .missingAppToken:
      "The device has no token for push notifications."
    case .notificationNotForwarded:
      "The app did not forward the push notification."
    case .appNotVerified:
      "The app could not be verified."
    case .captchaCheckFailed:
      "The captcha response is not valid."
    case .webContextAlreadyPresented:
      "A browser is already open for a sign-in."
    case .webContextCancelled:
      "The user closed the browser before the sign-in was complete."
    case .appVerificationUserInteractionFailure:
      "The user's part of the app verification failed."
    case .invalidClientID:
      "The OAuth client id does not belong to this project."
    case .webNetworkRequestFailed:
      "The browser could not reach the network."
    case .webInternalError:
      "The page in the browser failed."
    case .webSignInUserInteractionFailure:
      "The sign-in in the browser did not succeed."
    case .localPlayerNotAuthenticated:
      "The player is not signed in to Game Center."
    case .nullUser:
      "No user is signed in."
    case .invalidProviderID:
      "The project has no provider with this id."
    case .tenantIDMismatch:
      "The user belongs to another tenant."
    case .unsupportedTenantOperation:
      "This operation is not available within a tenant."
    case .rejectedCredential:
      "The credential is malformed or cannot be used."
    case .gameKitNotLinked:
      "The app is not linked to GameKit."
    case .secondFactorRequired:
      "A second factor is required to finish the sign-in."
    case .missingMultiFactorSession:
      "The second factor's session is missing."
    case .missingMultiFactorInfo:
      "The second factor is missing."
    case .invalidMultiFactorSession:
      "The second factor's session is not valid."
    case .multiFactorInfoNotFound:
      "The user has no such second factor."
    case .adminRestrictedOperation:
      "Only an administrator can do this."
    case .unverifiedEmail:
      "The email address must be verified first."
    case .secondFactorAlreadyEnrolled:
      "The account already has this second factor."
    case .maximumSecondFactorCountExceeded:
      "The account already has the maximum number of second factors."
    case .unsupportedFirstFactor:
      "The first factor does not allow a second one."
    case .emailChangeNeedsVerification:
      "The new email address must be verified before it replaces the old one."
    case .missingClientIdentifier:
      "The request does not say which app it comes from."
    case .missingOrInvalidNonce:
      "The nonce is missing or does not match the ID token, or the ID token was used before."
    case .blockingCloudFunctionError:
      "A blocking function of the operator rejected the request."
    case .recaptchaNotEnabled:
      "reCAPTCHA is not enabled for the project."
    case .missingRecaptchaToken:
      "The reCAPTCHA token is missing."
    case .invalidRecaptchaToken:
      "The reCAPTCHA token is not valid."
    case .invalidRecaptchaAction:
      "The reCAPTCHA action is not valid."
    case .missingClientType:
      "The client type is missing."
    case .missingRecaptchaVersion:
      "The reCAPTCHA version is missing."
    case .invalidRecaptchaVersion:
      "The reCAPTCHA version is not valid."
    case .invalidReqType:
      "The request type is not valid."
    case .recaptchaSDKNotLinked:
      "The reCAPTCHA library is not linked to the app."
    case .recaptchaSiteKeyMissing:
      "The reCAPTCHA site key is missing."
    case .recaptchaActionCreationFailed:
      "The reCAPTCHA action could not be created."
    case .passwordDoesNotMeetRequirements:
      "The password does not meet the project's requirements."
    case .missingPasskeyEnrollment:
      "No account has this passkey."
    case .invalidAuthenticatorResponse:
      "The device's answer for the passkey is not valid."
    case .invalidHostingLinkDomain:
      "The link's domain is not configured for this project."
    case .keychainError:
      "The stored session could not be read or written."
    case .internalError:
      "An error occurred that the app cannot handle. The underlying error gives the cause."
    case .malformedJWT:
      "The ID token could not be read."
    }
  }
}
