/// Why a call failed: the `code` of an error whose domain is ``AuthErrors/domain``.
///
/// Calls throw an `NSError`, and pass one to completion handlers, so that its `userInfo` is
/// available. Each of these forms finds the code, on Linux too:
///
/// ```swift
/// catch AuthErrorCode.credentialAlreadyInUse { … }
/// catch let error as AuthErrorCode { switch error.code { … } }
/// catch let error as NSError { switch AuthErrorCode(rawValue: error.code) { … } }
/// if (error as? AuthErrorCode)?.code == .networkError { … }
/// ```
///
/// Cases and numbers are those of Firebase 12.19. Some errors are never thrown here, such as those
/// of captchas, which the server doesn't have. They exist so that code compiles.
/// The article <doc:CatchingErrors> lists when each error occurs.
public enum AuthErrorCode: Int, Error, Sendable, CaseIterable {
  /// The custom token is malformed, expired, or not signed for this project.
  case invalidCustomToken = 17000
  /// The custom token belongs to another project.
  case customTokenMismatch = 17002
  /// The credential is malformed, has expired, or was rejected.
  case invalidCredential = 17004
  /// An administrator has disabled this account.
  case userDisabled = 17005
  /// This sign-in method is not enabled for the project.
  case operationNotAllowed = 17006
  /// Another account uses this email address.
  case emailAlreadyInUse = 17007
  /// The email address is malformed.
  case invalidEmail = 17008
  /// The password is wrong, or the account has none.
  case wrongPassword = 17009
  /// There were too many attempts. Try again later.
  case tooManyRequests = 17010
  /// There is no account for this user. It may have been deleted.
  case userNotFound = 17011
  /// An account with this email address exists. Sign in to it with its own sign-in method first.
  case accountExistsWithDifferentCredential = 17012
  /// This operation requires a recent sign-in. Sign in again, then retry.
  case requiresRecentLogin = 17014
  /// The account is already linked to this provider.
  case providerAlreadyLinked = 17015
  /// The account is not linked to this provider.
  case noSuchProvider = 17016
  /// The session's token is not valid. Sign in again.
  case invalidUserToken = 17017
  /// The server could not be reached.
  case networkError = 17020
  /// The session has ended. Sign in again.
  case userTokenExpired = 17021
  /// The server does not know this API key.
  case invalidAPIKey = 17023
  /// The credential does not belong to the signed-in user.
  case userMismatch = 17024
  /// Another account is linked to this credential.
  case credentialAlreadyInUse = 17025
  /// The password is too short or too easy to guess.
  case weakPassword = 17026
  /// This app is not allowed to use the API key.
  case appNotAuthorized = 17028
  /// The code has expired. Request a new one.
  case expiredActionCode = 17029
  /// The code is malformed, or was already used.
  case invalidActionCode = 17030
  /// The email template for this request is not valid.
  case invalidMessagePayload = 17031
  /// The sender of the email for this request is not valid.
  case invalidSender = 17032
  /// The recipient of the email for this request is not valid.
  case invalidRecipientEmail = 17033
  /// An email address is missing.
  case missingEmail = 17034
  /// The bundle id is missing.
  case missingIosBundleID = 17036
  /// The Android package name is missing.
  case missingAndroidPackageName = 17037
  /// The domain of the link is not among the project's authorized domains.
  case unauthorizedDomain = 17038
  /// The continue URL is not valid.
  case invalidContinueURI = 17039
  /// The continue URL is missing.
  case missingContinueURI = 17040
  /// A phone number is missing.
  case missingPhoneNumber = 17041
  /// The phone number is not valid. It begins with a plus sign and the country code.
  case invalidPhoneNumber = 17042
  /// The verification code is missing.
  case missingVerificationCode = 17043
  /// The verification code is wrong.
  case invalidVerificationCode = 17044
  /// The verification id is missing.
  case missingVerificationID = 17045
  /// The verification id is not valid.
  case invalidVerificationID = 17046
  /// The credential that verifies the app is missing.
  case missingAppCredential = 17047
  /// The credential that verifies the app is not valid.
  case invalidAppCredential = 17048
  /// The verification code has expired. Request a new one.
  case sessionExpired = 17051
  /// The project's quota for this operation is exhausted.
  case quotaExceeded = 17052
  /// The device has no token for push notifications.
  case missingAppToken = 17053
  /// The app did not forward the push notification.
  case notificationNotForwarded = 17054
  /// The app could not be verified.
  case appNotVerified = 17055
  /// The captcha response is not valid.
  case captchaCheckFailed = 17056
  /// A browser is already open for a sign-in.
  case webContextAlreadyPresented = 17057
  /// The user closed the browser before the sign-in was complete.
  case webContextCancelled = 17058
  /// The user's part of the app verification failed.
  case appVerificationUserInteractionFailure = 17059
  /// The OAuth client id does not belong to this project.
  case invalidClientID = 17060
  /// The browser could not reach the network.
  case webNetworkRequestFailed = 17061
  /// The page in the browser failed.
  case webInternalError = 17062
  /// The sign-in in the browser did not succeed.
  case webSignInUserInteractionFailure = 17063
  /// The player is not signed in to Game Center.
  case localPlayerNotAuthenticated = 17066
  /// No user is signed in.
  case nullUser = 17067
  /// The project has no provider with this id.
  case invalidProviderID = 17071
  /// The user belongs to another tenant.
  case tenantIDMismatch = 17072
  /// This operation is not available within a tenant.
  case unsupportedTenantOperation = 17073
  /// The credential is malformed or cannot be used.
  case rejectedCredential = 17075
  /// The app is not linked to GameKit.
  case gameKitNotLinked = 17076
  /// A second factor is required to finish the sign-in: see
  /// ``AuthErrors/userInfoMultiFactorResolverKey``.
  case secondFactorRequired = 17078
  /// The second factor's session is missing.
  case missingMultiFactorSession = 17081
  /// The second factor is missing.
  case missingMultiFactorInfo = 17082
  /// The second factor's session is not valid.
  case invalidMultiFactorSession = 17083
  /// The user has no such second factor.
  case multiFactorInfoNotFound = 17084
  /// Only an administrator can do this.
  case adminRestrictedOperation = 17085
  /// The email address must be verified first.
  case unverifiedEmail = 17086
  /// The account already has this second factor.
  case secondFactorAlreadyEnrolled = 17087
  /// The account already has the maximum number of second factors.
  case maximumSecondFactorCountExceeded = 17088
  /// The first factor does not allow a second one.
  case unsupportedFirstFactor = 17089
  /// The new email address must be verified before it replaces the old one.
  case emailChangeNeedsVerification = 17090
  /// The request does not say which app it comes from.
  case missingClientIdentifier = 17093
  /// The nonce is missing or does not match the ID token, or the ID token was used before.
  case missingOrInvalidNonce = 17094
  /// A blocking function of the operator rejected the request.
  case blockingCloudFunctionError = 17105
  /// reCAPTCHA is not enabled for the project.
  case recaptchaNotEnabled = 17200
  /// The reCAPTCHA token is missing.
  case missingRecaptchaToken = 17201
  /// The reCAPTCHA token is not valid.
  case invalidRecaptchaToken = 17202
  /// The reCAPTCHA action is not valid.
  case invalidRecaptchaAction = 17203
  /// The client type is missing.
  case missingClientType = 17204
  /// The reCAPTCHA version is missing.
  case missingRecaptchaVersion = 17205
  /// The reCAPTCHA version is not valid.
  case invalidRecaptchaVersion = 17206
  /// The request type is not valid.
  case invalidReqType = 17207
  /// The reCAPTCHA library is not linked to the app.
  case recaptchaSDKNotLinked = 17208
  /// The reCAPTCHA site key is missing.
  case recaptchaSiteKeyMissing = 17209
  /// The reCAPTCHA action could not be created.
  case recaptchaActionCreationFailed = 17210
  /// The password does not meet the project's requirements.
  case passwordDoesNotMeetRequirements = 17211
  /// No account, or not this one, has the passkey. Its number is that of an unreleased branch of Google's
  /// SDK.
  case missingPasskeyEnrollment = 17212
  /// The device's answer for a passkey is malformed, or was rejected. Gatehouse's own number: Google's
  /// unreleased one is that of ``passwordDoesNotMeetRequirements``.
  case invalidAuthenticatorResponse = 17213
  /// The link's domain is not configured for this project.
  case invalidHostingLinkDomain = 17214
  /// The stored session could not be read or written.
  case keychainError = 17995
  /// An error occurred that the app cannot handle. The underlying error gives the cause.
  case internalError = 17999
  /// The ID token could not be read.
  case malformedJWT = 18000

  /// The code itself: in older versions, errors were structures with a `code`.
  public var code: Self { self }
}
