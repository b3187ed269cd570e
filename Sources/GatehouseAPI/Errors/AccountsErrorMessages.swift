import GatehouseAccounts

/// How the domain's refusals are worded on the wire.
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
    case .browserSignIn(let fault): "INVALID_IDP_RESPONSE : \(detail(fault))"
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
    case .emailLinksDisabled: "OPERATION_NOT_ALLOWED"
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
    case .phoneSignInDisabled:
      "OPERATION_NOT_ALLOWED : Sign-in by phone number is disabled for this project."
    case .phoneRegionDisabled:
      "OPERATION_NOT_ALLOWED : This project sends no messages to numbers of this region."
    case .messageDeliveryMissing:
      "OPERATION_NOT_ALLOWED : This project has nothing to send text messages with."
    case .messageNotDelivered: "UNAVAILABLE"
    case .messageQuotaExceeded: "QUOTA_EXCEEDED : Exceeded quota for sending text messages."
    case .invalidSessionInfo: "INVALID_SESSION_INFO"
    case .sessionExpired: "SESSION_EXPIRED"
    case .invalidCode: "INVALID_CODE"
    case .invalidTemporaryProof: "INVALID_TEMPORARY_PROOF"
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
    case .issuerChanged:
      "OPERATION_NOT_ALLOWED : The provider's issuer was changed since this identity was linked. "
        + "The operator decides whether the subjects of both issuers are the same users."
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

  private static func detail(_ fault: BrowserSignInFault) -> String {
    switch fault {
    case .stateMissing: "The provider's answer has no state."
    case .notIssued: "The state was not issued by this server for this project."
    case .expired: "The sign-in took too long. Begin it again."
    case .otherBrowser: "The sign-in was begun in another browser."
    case .otherSession: "The sessionId is not the one that the sign-in was begun with."
    case .used: "The provider's answer was used before. Begin the sign-in again."
    case .otherPurpose:
      "The sign-in was begun to link, and comes without an account's idToken, or the other way round."
    case .otherProvider: "The sign-in was begun with another provider."
    case .otherAddress: "The requestUri is not the address that the provider was given."
    case .answerMissing: "The provider's answer lacks what it was asked for."
    case .refusedByProvider(let error): "The provider refused: \(error)"
    case .repeatedParameter: "A parameter of the provider's answer came twice."
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
}
