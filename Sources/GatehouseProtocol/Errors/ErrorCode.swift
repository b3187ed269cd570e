/// An error code for clients: the text before the first ` : ` of an error's message.
///
/// Contains every code that this server writes in such a message. A client may receive other codes
/// from a newer server, so it keeps the code of a response as text. Files that can't import this
/// target compare that text with copies of the codes: in `GatehouseAuth`, `GatehouseUI`,
/// `GatehouseVerifier`, `Examples` and the welcome page. `COPIES` in `scripts/house-rules` names these
/// files, and the script fails if one has a code that isn't here. A test compares
/// `AuthErrorCode+Server.swift`.
///
/// The comment of a case says when the server sends the code. A second paragraph says what a client
/// does, unless its request was wrong. `scripts/reference` makes a page of the comments.
public enum ErrorCode: String, CaseIterable, Sendable {
  // The request's members, in general.
  /// A value of the request is missing, malformed or not allowed. The detail says which.
  case invalidArgument = "INVALID_ARGUMENT"
  /// The request has a member that its credential doesn't allow: `localId` or
  /// `linkProviderUserInfo`.
  case unexpectedParameter = "UNEXPECTED_PARAMETER"
  /// The project or the account doesn't allow this: a sign-in method is turned off, a provider
  /// isn't configured, an address has to be verified first. The detail says what.
  ///
  /// Don't offer it, or ask the operator to allow it.
  case operationNotAllowed = "OPERATION_NOT_ALLOWED"
  /// The credential is valid, but not for this project, this role or this member of the request.
  case insufficientPermission = "INSUFFICIENT_PERMISSION"
  /// An administrator's request names no project.
  case missingProjectID = "MISSING_PROJECT_ID"
  /// There is no project with this id.
  case projectNotFound = "PROJECT_NOT_FOUND"
  /// The request names a tenant. There are none.
  case unsupportedTenantOperation = "UNSUPPORTED_TENANT_OPERATION"
  /// The custom token names a tenant. There are none.
  case tenantIDMismatch = "TENANT_ID_MISMATCH"
  /// A limit is reached: of attempts, of unused codes, or (429) of streams of events.
  ///
  /// Let the user try again later, after the seconds of `Retry-After` if the response has it.
  case tooManyAttemptsTryLater = "TOO_MANY_ATTEMPTS_TRY_LATER"
  /// Only administrators may create such an account, or delete one, in this project.
  ///
  /// Don't offer it; say whom to ask.
  case adminOnlyOperation = "ADMIN_ONLY_OPERATION"
  /// The server is overloaded, or doesn't reach its database. Begins no message: it is the
  /// `status` of a response 503.
  case unavailable = "UNAVAILABLE"

  // Tokens and sessions.
  /// The request has no ID token.
  case missingIDToken = "MISSING_ID_TOKEN"
  /// The ID token is malformed, or has a wrong signature, issuer or project.
  ///
  /// Sign the user out, and let them sign in again.
  case invalidIDToken = "INVALID_ID_TOKEN"
  /// The ID token or session cookie has expired; or its session has ended: by the user, an
  /// administrator, a new password, or a refresh token that was used twice.
  ///
  /// Refresh the ID token. If that fails with this code too, sign the user out.
  case tokenExpired = "TOKEN_EXPIRED"
  /// A request for new tokens has no `refresh_token`.
  case missingRefreshToken = "MISSING_REFRESH_TOKEN"
  /// The server didn't issue this refresh token for this project, or no longer has the key that it
  /// was made with.
  ///
  /// Sign the user out, and let them sign in again.
  case invalidRefreshToken = "INVALID_REFRESH_TOKEN"
  /// A request for new tokens has no `grant_type`.
  case missingGrantType = "MISSING_GRANT_TYPE"
  /// The `grant_type` is neither `refresh_token` nor that of a service account's assertion.
  case invalidGrantType = "INVALID_GRANT_TYPE"
  /// The request has no custom token.
  case missingCustomToken = "MISSING_CUSTOM_TOKEN"
  /// The custom token is malformed or expired, or has a wrong signature or audience.
  ///
  /// Get another one from your back end.
  case invalidCustomToken = "INVALID_CUSTOM_TOKEN"
  /// The custom token is of a service account that the project doesn't have, or whose key or role
  /// `customTokens` was removed.
  case credentialMismatch = "CREDENTIAL_MISMATCH"
  /// The change needs a recent sign-in.
  ///
  /// Let the user sign in again, then repeat the request.
  case credentialTooOldLoginAgain = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
  /// The session cookie is malformed, or has a wrong signature, issuer or project.
  ///
  /// Let the user sign in again.
  case invalidSessionCookie = "INVALID_SESSION_COOKIE"
  /// The session cookie would be valid for less than five minutes or more than two weeks.
  case invalidDuration = "INVALID_DURATION"

  // Accounts.
  /// There is no such account, or it was deleted.
  ///
  /// If the request had the user's token: sign the user out.
  case userNotFound = "USER_NOT_FOUND"
  /// An administrator disabled the account.
  ///
  /// Sign the user out, and say whom to ask.
  case userDisabled = "USER_DISABLED"
  /// The user re-authenticated in a browser with an identity that no account has.
  ///
  /// Let the user choose the identity of the account.
  case userMismatch = "USER_MISMATCH"
  /// An administrator's request has no `localId`.
  case missingLocalID = "MISSING_LOCAL_ID"
  /// The `localId` doesn't have 1 to 256 bytes, or has control characters.
  case invalidLocalID = "INVALID_LOCAL_ID"
  /// Another account has this `localId`, or an import has it twice.
  case duplicateLocalID = "DUPLICATE_LOCAL_ID"
  /// A request for sign-in methods has neither `identifier` nor `providerId`; or a custom token
  /// has no `uid`.
  case missingIdentifier = "MISSING_IDENTIFIER"
  /// The `identifier` isn't an email address; or the `uid` of a custom token doesn't have 1 to 128
  /// bytes, or has control characters.
  case invalidIdentifier = "INVALID_IDENTIFIER"
  /// The display name is longer than 256 UTF-16 units, the photo's URL is longer than 2048 bytes,
  /// or one of them has control characters.
  ///
  /// Let the user correct it.
  case invalidProfileAttribute = "INVALID_PROFILE_ATTRIBUTE"
  /// The custom claims aren't a JSON object, or have a member twice.
  case invalidClaims = "INVALID_CLAIMS"
  /// The custom claims are too long.
  case claimsTooLarge = "CLAIMS_TOO_LARGE"
  /// A custom claim has a reserved name, which is the detail.
  case forbiddenClaim = "FORBIDDEN_CLAIM"

  // Email addresses and passwords.
  /// The request has no email address, or the account has none.
  case missingEmail = "MISSING_EMAIL"
  /// The email address is malformed; or an email link was sent to another address.
  ///
  /// Let the user correct the address.
  case invalidEmail = "INVALID_EMAIL"
  /// Another account has the email address.
  ///
  /// Offer a sign-in.
  case emailExists = "EMAIL_EXISTS"
  /// No account has the email address. Email privacy hides this in most places.
  ///
  /// Let the user correct the address, or offer a sign-up.
  case emailNotFound = "EMAIL_NOT_FOUND"
  /// The request for a new address has no `newEmail`.
  case missingNewEmail = "MISSING_NEW_EMAIL"
  /// The `newEmail` is malformed.
  ///
  /// Let the user correct the address.
  case invalidNewEmail = "INVALID_NEW_EMAIL"
  /// The request has no password.
  case missingPassword = "MISSING_PASSWORD"
  /// The password is wrong. Only without email privacy.
  ///
  /// Let the user try again, or offer a new password.
  case invalidPassword = "INVALID_PASSWORD"
  /// The email address or the password is wrong.
  ///
  /// Let the user try again, or offer a new password.
  case invalidLoginCredentials = "INVALID_LOGIN_CREDENTIALS"
  /// The project doesn't allow passwords.
  ///
  /// Offer another sign-in method.
  case passwordLoginDisabled = "PASSWORD_LOGIN_DISABLED"
  /// The password has fewer than six characters.
  ///
  /// Ask for a longer password.
  case weakPassword = "WEAK_PASSWORD"
  /// The password doesn't meet the project's policy; the detail lists what it lacks. Or it is
  /// longer than 4096 characters.
  ///
  /// Show the requirements, and ask for another password.
  case passwordDoesNotMeetRequirements = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"

  // Action codes sent by email, and their links.
  /// The request for a code has no `requestType`.
  case missingReqType = "MISSING_REQ_TYPE"
  /// The `requestType` is unknown, or can't be requested; or a change of an account has neither
  /// `idToken` nor `oobCode`.
  case invalidReqType = "INVALID_REQ_TYPE"
  /// The request has no `oobCode`.
  case missingOOBCode = "MISSING_OOB_CODE"
  /// The code doesn't exist, was used or replaced, or has another purpose.
  ///
  /// Let the user request another email.
  case invalidOOBCode = "INVALID_OOB_CODE"
  /// The code has expired.
  ///
  /// Let the user request another email.
  case expiredOOBCode = "EXPIRED_OOB_CODE"
  /// The request has no `continueUri`; or no `continueUrl`, although the app is to handle the
  /// code.
  case missingContinueURI = "MISSING_CONTINUE_URI"
  /// The `continueUri` or `continueUrl` isn't an absolute URL of an accepted form.
  case invalidContinueURI = "INVALID_CONTINUE_URI"
  /// The URL isn't https, or its host isn't among the project's authorized domains.
  ///
  /// Ask the operator to add the host.
  case unauthorizedDomain = "UNAUTHORIZED_DOMAIN"
  /// The `linkDomain` isn't among the project's authorized domains.
  case invalidHostingLinkDomain = "INVALID_HOSTING_LINK_DOMAIN"
  /// The `iOSBundleId` is longer than 255 bytes, or has other characters than visible ASCII.
  case invalidIOSBundleID = "INVALID_IOS_BUNDLE_ID"
  /// The request has `androidInstallApp` or `androidMinimumVersion`, and no `androidPackageName`.
  case missingAndroidPackageName = "MISSING_ANDROID_PACKAGE_NAME"
  /// The `androidPackageName` is longer than 255 bytes, or has other characters than visible
  /// ASCII.
  case invalidAndroidPackageName = "INVALID_ANDROID_PACKAGE_NAME"
  /// The `androidMinimumVersion` is longer than 255 bytes, or has other characters than visible
  /// ASCII.
  case invalidAndroidMinimumVersion = "INVALID_ANDROID_MINIMUM_VERSION"

  // Phone numbers.
  /// The request has a `temporaryProof`, and no `phoneNumber`.
  case missingPhoneNumber = "MISSING_PHONE_NUMBER"
  /// The phone number is missing, or isn't in international form.
  ///
  /// Let the user correct the number.
  case invalidPhoneNumber = "INVALID_PHONE_NUMBER"
  /// Another account has the phone number.
  ///
  /// Offer a sign-in with it.
  case phoneNumberExists = "PHONE_NUMBER_EXISTS"
  /// A test number is in the list twice, or its code doesn't have six digits.
  case invalidTestingPhoneNumber = "INVALID_TESTING_PHONE_NUMBER"
  /// The request has no `sessionInfo`.
  case missingSessionInfo = "MISSING_SESSION_INFO"
  /// The `sessionInfo` doesn't exist, was used, or belongs to another project.
  ///
  /// Send another code.
  case invalidSessionInfo = "INVALID_SESSION_INFO"
  /// The code has expired, or too many wrong ones were entered.
  ///
  /// Send another code.
  case sessionExpired = "SESSION_EXPIRED"
  /// The request has no code.
  case missingCode = "MISSING_CODE"
  /// The code is wrong.
  ///
  /// Let the user enter it again.
  case invalidCode = "INVALID_CODE"
  /// The `temporaryProof` is malformed, expired or of another number; or the number left its
  /// account since, or the account's sessions were revoked.
  ///
  /// Send another code.
  case invalidTemporaryProof = "INVALID_TEMPORARY_PROOF"
  /// The project, or a range of numbers, has reached its limit of text messages.
  ///
  /// Offer another sign-in method, or let the user try again later.
  case quotaExceeded = "QUOTA_EXCEEDED"

  // Passkeys.
  /// The request has no response of an authenticator.
  case missingAuthenticatorResponse = "MISSING_AUTHENTICATOR_RESPONSE"
  /// The authenticator's response failed a check of WebAuthn. The detail says which.
  ///
  /// Begin again, with a new challenge.
  case invalidAuthenticatorResponse = "INVALID_AUTHENTICATOR_RESPONSE"
  /// The credential's id is missing, or can't be read as base64.
  case invalidCredentialID = "INVALID_CREDENTIAL_ID"
  /// The account has no passkey.
  ///
  /// Offer another sign-in method.
  case passkeyEnrollmentNotFound = "PASSKEY_ENROLLMENT_NOT_FOUND"
  /// No account of the project has this passkey.
  ///
  /// Offer another sign-in method.
  case passkeyCredentialNotFound = "PASSKEY_CREDENTIAL_NOT_FOUND"
  /// An account of the project has this passkey already.
  case credentialAlreadyInUse = "CREDENTIAL_ALREADY_IN_USE"

  // Second factors.
  /// The request for a code has no `mfaPendingCredential`.
  case missingMFAPendingCredential = "MISSING_MFA_PENDING_CREDENTIAL"
  /// The pending credential is malformed or expired; or the account, or the credential that was
  /// shown first, changed since.
  ///
  /// Begin the sign-in again.
  case invalidMFAPendingCredential = "INVALID_MFA_PENDING_CREDENTIAL"
  /// The request for a code names no second factor.
  case missingMFAEnrollmentID = "MISSING_MFA_ENROLLMENT_ID"
  /// The account has no such second factor.
  ///
  /// Let the user choose another factor.
  case mfaEnrollmentNotFound = "MFA_ENROLLMENT_NOT_FOUND"
  /// The account has this number or secret as a second factor already.
  case secondFactorExists = "SECOND_FACTOR_EXISTS"
  /// An account has at most five second factors.
  ///
  /// Let the user remove one first.
  case secondFactorLimitExceeded = "SECOND_FACTOR_LIMIT_EXCEEDED"
  /// This sign-in method can't be combined with a second factor, or not with this one.
  ///
  /// Let the user sign in with another method.
  case unsupportedFirstFactor = "UNSUPPORTED_FIRST_FACTOR"
  /// A second factor needs a verified email address.
  ///
  /// Let the user verify the address first.
  case unverifiedEmail = "UNVERIFIED_EMAIL"
  /// A second factor that an administrator sets has no valid `mfaEnrollmentId`.
  case invalidMFAEnrollmentID = "INVALID_MFA_ENROLLMENT_ID"
  /// Two second factors that an administrator sets have the same `mfaEnrollmentId`.
  case duplicateMFAEnrollmentID = "DUPLICATE_MFA_ENROLLMENT_ID"
  /// The end of a sign-in with a second factor has no `mfaPendingCredential`.
  case missingCredential = "MISSING_CREDENTIAL"
  /// The number of a second factor that an administrator sets is missing, or isn't in
  /// international form.
  case invalidMFAPhoneNumber = "INVALID_MFA_PHONE_NUMBER"
  /// The recovery code is wrong, or was used.
  ///
  /// Let the user enter another one.
  case invalidRecoveryCode = "INVALID_RECOVERY_CODE"

  // Sign-in with a provider.
  /// The sign-in with a provider has no `requestUri`.
  case missingRequestURI = "MISSING_REQUEST_URI"
  /// The `requestUri` isn't an absolute URI.
  case invalidRequestURI = "INVALID_REQUEST_URI"
  /// The provider's token or response isn't valid for this project, or the provider can't be
  /// reached. The detail says why.
  ///
  /// Let the user sign in with the provider again. `gatehouse token explain` shows each check of a
  /// token.
  case invalidIDPResponse = "INVALID_IDP_RESPONSE"
  /// The request has no credential of the kind that the provider needs.
  case invalidCredentialOrProviderID = "INVALID_CREDENTIAL_OR_PROVIDER_ID"
  /// The nonce is missing, isn't that of the token, has expired or was used; or the token was
  /// used.
  ///
  /// Begin the sign-in again, with a new nonce.
  case missingOrInvalidNonce = "MISSING_OR_INVALID_NONCE"
  /// The pending token is malformed or expired; or its identity was unlinked, or the account's
  /// sessions were revoked, since.
  ///
  /// Let the user sign in with the provider again.
  case invalidPendingToken = "INVALID_PENDING_TOKEN"
  /// The `ifNew` is neither `create` nor `ask`.
  case invalidIfNew = "INVALID_IF_NEW"
  /// A blocking function of the project refused the user, or failed. The detail has its message.
  ///
  /// Show the message that your function writes for users.
  case blockingFunctionErrorResponse = "BLOCKING_FUNCTION_ERROR_RESPONSE"
  /// The user has to consent before these credentials are linked in one account. `consentRequired`
  /// in the response lists them.
  ///
  /// Ask the user, then repeat the request with `consent`.
  case consentRequired = "CONSENT_REQUIRED"
  /// The `consent` has no `version` of 1 to 128 bytes, or its `joins` isn't a list of 1 to 32 of
  /// provider ids, `email` and `phone`.
  case invalidConsent = "INVALID_CONSENT"
  /// Another account has this identity.
  ///
  /// Offer a sign-in with it.
  case federatedUserIDAlreadyLinked = "FEDERATED_USER_ID_ALREADY_LINKED"
  /// The account has another identity of this provider, or another phone number.
  ///
  /// Let the user unlink it first.
  case providerAlreadyLinked = "PROVIDER_ALREADY_LINKED"
  /// The request has no `providerId`.
  case missingProviderID = "MISSING_PROVIDER_ID"
  /// An administrator can't link an identity of this `providerId`.
  case invalidProviderID = "INVALID_PROVIDER_ID"
  /// The identity that an administrator links has no `rawId`.
  case missingRawID = "MISSING_RAW_ID"
  /// The `rawId` of the identity that an administrator links isn't valid.
  case invalidFederatedUserID = "INVALID_FEDERATED_USER_ID"
  /// The request to revoke a token has no `token`.
  case missingToken = "MISSING_TOKEN"
  /// The `tokenType` is missing or unknown.
  case invalidTokenType = "INVALID_TOKEN_TYPE"

  // Configuration.
  /// A value of a configuration isn't valid. The detail says which.
  case invalidConfig = "INVALID_CONFIG"
  /// An authorized domain isn't the name of a host.
  case invalidAuthorizedDomain = "INVALID_AUTHORIZED_DOMAIN"
  /// The trigger of a blocking function is unknown, or its URL isn't an absolute one.
  case invalidBlockingFunction = "INVALID_BLOCKING_FUNCTION"
  /// The provider's id isn't valid for this kind of provider.
  case invalidConfigID = "INVALID_CONFIG_ID"
  /// The project has this provider already.
  case configurationExists = "CONFIGURATION_EXISTS"
  /// The project doesn't have this provider.
  case configurationNotFound = "CONFIGURATION_NOT_FOUND"
  /// A provider has no client id.
  case missingOAuthClientID = "MISSING_OAUTH_CLIENT_ID"
  /// An OpenID Connect provider has no issuer.
  case missingIssuer = "MISSING_ISSUER"
  /// The issuer isn't an https URL of the form that the provider needs; or the provider's issuer
  /// can't be moved.
  case invalidIssuer = "INVALID_ISSUER"

  // Many accounts at once.
  /// The import has no accounts.
  case missingUserAccount = "MISSING_USER_ACCOUNT"
  /// The import has more than 1000 accounts, or more than 200 with a password in plain text.
  case maximumUserCountExceeded = "MAXIMUM_USER_COUNT_EXCEEDED"
  /// The import has an email address twice, which is the detail.
  case duplicateEmail = "DUPLICATE_EMAIL"
  /// The import has an identity twice, which is the detail.
  case duplicateRawID = "DUPLICATE_RAW_ID"
  /// The deletion doesn't name 1 to 1000 accounts.
  case localIDListExceedsLimit = "LOCAL_ID_LIST_EXCEEDS_LIMIT"
  /// The account isn't disabled, and `force` isn't set. In the list of a deletion's `errors`.
  case notDisabled = "NOT_DISABLED"
  /// The page token isn't valid for this list.
  case invalidPageSelection = "INVALID_PAGE_SELECTION"

  // Imported password hashes.
  /// The `hashAlgorithm` is unknown.
  case invalidHashAlgorithm = "INVALID_HASH_ALGORITHM"
  /// A parameter of the hash algorithm is missing, out of its range, not a power of two, or too
  /// costly.
  case invalidHashParameter = "INVALID_HASH_PARAMETER"
  /// The project has imported accounts with too many different keys.
  case invalidHashParameters = "INVALID_HASH_PARAMETERS"
  /// The `signerKey` is missing, out of its range, or can't be read.
  case emptyHashKey = "EMPTY_HASH_KEY"
  /// The `saltSeparator` is missing, out of its range, or can't be read.
  case invalidHashSaltSeparator = "INVALID_HASH_SALT_SEPARATOR"
  /// The `rounds` are missing or out of their range.
  case invalidHashRounds = "INVALID_HASH_ROUNDS"
  /// The `memoryCost` is missing or out of its range.
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
