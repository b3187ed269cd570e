extension AuthErrorCode {
  /// What the error says where the server said nothing more precise. English.
  package var text: String {
    switch self {
    case .invalidCustomToken:
      "The custom token is malformed, expired, or not signed for this project."
    case .customTokenMismatch:
      "The custom token belongs to another project."
    case .invalidCredential:
      "The credential is malformed, has expired, or was refused."
    case .userDisabled:
      "An administrator has disabled this account."
    case .operationNotAllowed:
      "This way to sign in is not enabled for the project."
    case .emailAlreadyInUse:
      "Another account uses this email address."
    case .invalidEmail:
      "The email address is not well formed."
    case .wrongPassword:
      "The password is wrong, or the account has none."
    case .tooManyRequests:
      "Too many attempts came from this device. Try again later."
    case .userNotFound:
      "There is no account for this person. It may have been deleted."
    case .accountExistsWithDifferentCredential:
      "An account with this email address exists, but is entered another way. Sign in that way first."
    case .requiresRecentLogin:
      "This needs a recent sign-in. Sign in again, then repeat it."
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
      "The API key is not one of this server's."
    case .userMismatch:
      "The credential belongs to another account than the one that is signed in."
    case .credentialAlreadyInUse:
      "Another account is linked to this credential."
    case .weakPassword:
      "The password is too short or too easy to guess."
    case .appNotAuthorized:
      "The API key may not be used by this app."
    case .expiredActionCode:
      "The code has expired. Ask for a new one."
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
      "The domain of the link is not among the project's authorised domains."
    case .invalidContinueURI:
      "The URL to continue at is not valid."
    case .missingContinueURI:
      "The URL to continue at is missing."
    case .missingPhoneNumber:
      "A phone number is missing."
    case .invalidPhoneNumber:
      "The phone number is not valid. It begins with a plus sign and the country code."
    case .missingVerificationCode:
      "The code of the text message is missing."
    case .invalidVerificationCode:
      "The code of the text message is wrong."
    case .missingVerificationID:
      "The verification id is missing."
    case .invalidVerificationID:
      "The verification id is not valid."
    case .missingAppCredential:
      "The proof of which app this is, is missing."
    case .invalidAppCredential:
      "The proof of which app this is, is not valid."
    case .sessionExpired:
      "The code of the text message has expired. Ask for a new one."
    case .quotaExceeded:
      "The project's quota for this is used up."
    case .missingAppToken:
      "The device has no token for push notifications."
    case .notificationNotForwarded:
      "The app did not forward the push notification."
    case .appNotVerified:
      "The app could not be verified."
    case .captchaCheckFailed:
      "The captcha's answer is not valid."
    case .webContextAlreadyPresented:
      "A browser is already open for a sign-in."
    case .webContextCancelled:
      "The person closed the browser before the sign-in was complete."
    case .appVerificationUserInteractionFailure:
      "The app could not be verified with the person's help."
    case .invalidClientID:
      "The OAuth client id is not this project's."
    case .webNetworkRequestFailed:
      "The browser could not reach the network."
    case .webInternalError:
      "The page in the browser failed."
    case .webSignInUserInteractionFailure:
      "The sign-in in the browser did not succeed."
    case .localPlayerNotAuthenticated:
      "The player is not signed in to Game Center."
    case .nullUser:
      "Nobody is signed in."
    case .invalidProviderID:
      "The provider's id is not one that the project knows."
    case .tenantIDMismatch:
      "The tenant is another one than the person's."
    case .unsupportedTenantOperation:
      "This is not available within a tenant."
    case .rejectedCredential:
      "The credential is malformed or cannot be used."
    case .gameKitNotLinked:
      "The app is not linked to GameKit."
    case .secondFactorRequired:
      "A second factor is needed to finish the sign-in."
    case .missingMultiFactorSession:
      "The second factor's session is missing."
    case .missingMultiFactorInfo:
      "The second factor is missing."
    case .invalidMultiFactorSession:
      "The second factor's session is not valid."
    case .multiFactorInfoNotFound:
      "The person has no such second factor."
    case .adminRestrictedOperation:
      "Only an administrator may do this."
    case .unverifiedEmail:
      "The email address has to be verified first."
    case .secondFactorAlreadyEnrolled:
      "The account has this second factor already."
    case .maximumSecondFactorCountExceeded:
      "The account has as many second factors as are allowed."
    case .unsupportedFirstFactor:
      "The first factor does not allow a second one."
    case .emailChangeNeedsVerification:
      "The new email address has to be verified before it replaces the old one."
    case .missingClientIdentifier:
      "The request does not say which app it comes from."
    case .missingOrInvalidNonce:
      "The nonce is missing or does not match the ID token, or the ID token was used before."
    case .blockingCloudFunctionError:
      "A hook of the server's operator refused the request."
    case .recaptchaNotEnabled:
      "reCAPTCHA is not enabled for the project."
    case .missingRecaptchaToken:
      "The reCAPTCHA token is missing."
    case .invalidRecaptchaToken:
      "The reCAPTCHA token is not valid."
    case .invalidRecaptchaAction:
      "The reCAPTCHA action is not valid."
    case .missingClientType:
      "The kind of client is missing."
    case .missingRecaptchaVersion:
      "The reCAPTCHA version is missing."
    case .invalidRecaptchaVersion:
      "The reCAPTCHA version is not valid."
    case .invalidReqType:
      "The kind of request is not valid."
    case .recaptchaSDKNotLinked:
      "The reCAPTCHA library is not linked to the app."
    case .recaptchaSiteKeyMissing:
      "The reCAPTCHA site key is missing."
    case .recaptchaActionCreationFailed:
      "The reCAPTCHA action could not be made."
    case .passwordDoesNotMeetRequirements:
      "The password does not meet the project's requirements."
    case .invalidHostingLinkDomain:
      "The link's domain is not set up for this project."
    case .keychainError:
      "The stored session could not be read or written."
    case .internalError:
      "Something went wrong that the app cannot act on. The underlying error says what."
    case .malformedJWT:
      "The ID token could not be read."
    }
  }
}
