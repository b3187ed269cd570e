import GatehouseProtocol

/// Why the domain rejects a request.
///
/// `==` compares everything. No case carries a token, a password or an email address, except
/// ``blockedByFunction(_:)``, if the project's own function wrote one into its message.
package enum AccountsError: Error, Hashable, Sendable {
  // Authentication of the caller
  case invalidIDToken
  case tokenExpired
  case userNotFound
  case userDisabled
  case invalidRefreshToken
  case invalidPendingToken
  case invalidSessionCookie
  /// The sign-in is older than the project allows for a sensitive change.
  case credentialTooOld

  // Signing in
  /// A provider's token that can be used once, or its nonce, was used before.
  case duplicateCredential
  case nonce(NonceFault)
  /// A provider's response that came through a browser was rejected.
  case browserSignIn(BrowserSignInFault)
  case emailNotFound
  case invalidPassword
  /// The email address or the password is wrong. The response doesn't say which.
  case invalidLoginCredentials
  case passwordLoginDisabled
  /// The project allows this to administrators only.
  case adminOnlyOperation
  /// The identity's provider is disabled or was deleted.
  case providerDisabled
  /// Passwords are disabled in the project, so none can be set.
  case passwordsDisabled
  /// Sign-in by email link is disabled in the project.
  case emailLinksDisabled
  /// With enumeration protection, a new address must be verified before it replaces the account's,
  /// and the account's address can't be removed.
  case newEmailUnverified
  /// A rate limit is reached, such as that of an account, a client address or a phone number. It
  /// ends with its window.
  case tooManyAttempts

  /// The requested lifetime of the session cookie is too long or too short.
  case invalidDuration

  // Codes that are sent to an address
  /// The code does not exist, was used or ended, is void, or has another purpose.
  case invalidActionCode
  case expiredActionCode
  /// The code was sent to another address than the one that the user entered.
  case emailMismatch
  /// The account has no address.
  case missingEmail
  /// The address or the account has too many codes of this purpose that have not expired.
  case tooManyActionCodes
  /// No delivery of codes is configured on the server.
  case deliveryMissing

  // Phone numbers
  /// Sign-in by phone number is disabled in the project.
  case phoneSignInDisabled
  /// The project sends no messages to this number: it has none of the allowed prefixes.
  case phoneRegionDisabled
  /// No delivery of text messages is configured for the project.
  case messageDeliveryMissing
  /// The delivery did not accept the text message.
  case messageNotDelivered
  /// The project, or a range of numbers, has reached its limit of messages.
  case messageQuotaExceeded
  /// The verification session does not exist, was used, or belongs to another project.
  case invalidSessionInfo
  /// The verification session has expired, or too many wrong codes ended it.
  case sessionExpired
  case invalidCode
  case invalidTemporaryProof

  // Passkeys
  /// Passkeys are disabled in the project.
  case passkeysDisabled
  /// The request needs an ID token: its passkey doesn't create an account.
  case idTokenMissing
  /// No account of the project has the passkey.
  case passkeyNotFound
  /// The account has no passkey.
  case noPasskey
  /// The project has a passkey with this credential id already.
  case passkeyInUse
  /// The account has ``Passkey/maximumPerAccount``.
  case tooManyPasskeys
  case authenticatorResponse(WebAuthnFault)

  /// A blocking function of the project refused the sign-in or the new account, or failed. If it refused,
  /// it may have written the message.
  case blockedByFunction(BlockingRefusal)

  // Second factors
  /// The pending credential is forged or expired, of another project, or the credential that was shown, or the
  /// account's sessions, ended since.
  case invalidPendingCredential
  /// The account has no such factor, or it is of another kind than the request.
  case secondFactorNotFound
  /// The account has a factor with the same number or secret.
  case secondFactorExists(PresentedFactor.Method)
  /// The account has ``SecondFactors/maximumCount`` factors.
  case tooManySecondFactors
  /// The project doesn't offer factors of this kind.
  case secondFactorDisabled(PresentedFactor.Method)
  /// The project requires a second factor, and the account would have none.
  case secondFactorRequired
  /// A factor can be enrolled only in an account with a verified address.
  case emailUnverified
  /// An account of this sign-in can't have a second factor.
  case firstFactorIneligible
  /// A number can't be the first factor of an account whose second factor is a number.
  case phoneIsSecondFactor
  case invalidRecoveryCode

  // Changing accounts
  case emailExists
  case phoneNumberExists
  case duplicateLocalID
  case weakPassword
  case passwordTooLong
  /// The password lacks these requirements of the project's password policy.
  case passwordRequirements([PasswordRequirement])
  case identityLinkedElsewhere
  case providerAlreadyLinked
  /// The identity was linked when the provider had another issuer. The same subject at the new
  /// issuer may be another user.
  case issuerChanged
  /// These parts would be joined in one account, and the user must agree first.
  case consentRequired([AccountPart])
  /// The change would remove the account's last credential, and the project forbids that.
  case lastCredential

  /// The project already stores the maximum number of keys of imported passwords.
  case tooManyPasswordKeys

  /// The project has too many accounts to sort them by anything but their ids.
  case tooManyToSort

  /// Too many passwords are waiting to be hashed, or the account changed too often while blocking
  /// functions were asked.
  case overloaded
}

extension AccountsError: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .invalidIDToken: .refused(.invalidIDToken)
    case .tokenExpired: .refused(.tokenExpired)
    case .userNotFound: .refused(.userNotFound)
    case .userDisabled: .refused(.userDisabled)
    case .invalidRefreshToken: .refused(.invalidRefreshToken)
    case .invalidPendingToken: .refused(.invalidPendingToken)
    case .invalidSessionCookie: .refused(.invalidSessionCookie)
    case .credentialTooOld: .refused(.credentialTooOldLoginAgain)
    case .duplicateCredential:
      .refused(
        .missingOrInvalidNonce,
        "Duplicate credential received. "
          + "Please try again with a new credential.")
    case .nonce(let fault): .refused(.missingOrInvalidNonce, fault.detail)
    case .browserSignIn(let fault): .refused(.invalidIDPResponse, fault.detail)
    case .consentRequired(let parts):
      .consentRequired(
        parts,
        "The user has to consent before these are linked in one account: "
          + "\(parts.map(\.name).joined(separator: ", ")).")
    case .blockedByFunction(let refusal):
      .refused(.blockingFunctionErrorResponse, refusal.detail)
    case .emailNotFound: .refused(.emailNotFound)
    case .invalidPassword: .refused(.invalidPassword)
    case .invalidLoginCredentials: .refused(.invalidLoginCredentials)
    case .passwordLoginDisabled: .refused(.passwordLoginDisabled)
    case .adminOnlyOperation: .refused(.adminOnlyOperation)
    case .providerDisabled:
      .refused(.operationNotAllowed, "The identity provider configuration is disabled.")
    case .newEmailUnverified:
      .refused(.operationNotAllowed, "Please verify the new email before changing email.")
    case .invalidDuration: .refused(.invalidDuration)
    case .tooManyAttempts: .refused(.tooManyAttemptsTryLater, "Too many attempts. Try again later.")
    case .passwordsDisabled, .emailLinksDisabled, .phoneSignInDisabled:
      .refused(.operationNotAllowed)
    case .invalidActionCode: .refused(.invalidOOBCode)
    case .expiredActionCode: .refused(.expiredOOBCode)
    case .emailMismatch:
      .refused(.invalidEmail, "The email provided does not match the sign-in email address.")
    case .missingEmail: .refused(.missingEmail)
    case .tooManyActionCodes:
      .refused(.tooManyAttemptsTryLater, "Too many unused codes exist for this address.")
    case .deliveryMissing:
      .refused(
        .operationNotAllowed,
        "This server can't send mail. An administrator can request the link with "
          + "returnOobLink.")
    case .phoneRegionDisabled:
      .refused(.operationNotAllowed, "This project sends no messages to numbers of this region.")
    case .messageDeliveryMissing:
      .refused(.operationNotAllowed, "This project can't send text messages: it has no webhook.")
    case .messageQuotaExceeded:
      .refused(.quotaExceeded, "Exceeded quota for sending text messages.")
    case .invalidSessionInfo: .refused(.invalidSessionInfo)
    case .sessionExpired: .refused(.sessionExpired)
    case .invalidCode: .refused(.invalidCode)
    case .invalidTemporaryProof: .refused(.invalidTemporaryProof)
    case .invalidPendingCredential: .refused(.invalidMFAPendingCredential)
    case .secondFactorNotFound: .refused(.mfaEnrollmentNotFound)
    case .secondFactorExists(.phone):
      .refused(
        .secondFactorExists,
        "Phone number already enrolled as second factor for this account.")
    case .secondFactorExists: .refused(.secondFactorExists)
    case .tooManySecondFactors: .refused(.secondFactorLimitExceeded)
    case .secondFactorDisabled(.phone):
      .refused(.operationNotAllowed, "SMS based MFA not enabled.")
    case .secondFactorDisabled(.totp):
      .refused(.operationNotAllowed, "TOTP based MFA not enabled.")
    case .secondFactorDisabled: .refused(.operationNotAllowed, "MFA is not enabled.")
    case .secondFactorRequired:
      .refused(.operationNotAllowed, "The project requires a second factor.")
    case .emailUnverified:
      .refused(.unverifiedEmail, "Need to verify email first before enrolling second factors.")
    case .firstFactorIneligible:
      .refused(.unsupportedFirstFactor, "MFA is not available for the given first factor.")
    case .phoneIsSecondFactor:
      .refused(
        .unsupportedFirstFactor,
        "A phone number cannot be set as a first factor on an SMS based MFA user.")
    case .invalidRecoveryCode: .refused(.invalidRecoveryCode)
    case .passkeysDisabled:
      .refused(.operationNotAllowed, "Passkeys are disabled in this project.")
    case .idTokenMissing: .refused(.missingIDToken)
    case .passkeyNotFound: .refused(.passkeyCredentialNotFound)
    case .noPasskey: .refused(.passkeyEnrollmentNotFound)
    case .passkeyInUse: .refused(.credentialAlreadyInUse)
    case .tooManyPasskeys:
      .refused(
        .operationNotAllowed,
        "An account has at most \(Passkey.maximumPerAccount) passkeys. Remove one first.")
    case .authenticatorResponse(let fault):
      .refused(.invalidAuthenticatorResponse, fault.detail)
    case .emailExists: .refused(.emailExists)
    case .phoneNumberExists: .refused(.phoneNumberExists)
    case .duplicateLocalID: .refused(.duplicateLocalID)
    case .weakPassword: .refused(.weakPassword, "Password should be at least 6 characters")
    case .passwordTooLong:
      .refused(.passwordDoesNotMeetRequirements, "Password cannot be longer than 4096 characters")
    case .passwordRequirements(let missing):
      .refused(
        .passwordDoesNotMeetRequirements,
        "Missing password requirements: "
          + "[\(missing.map(\.message).joined(separator: ", "))]")
    case .identityLinkedElsewhere: .refused(.federatedUserIDAlreadyLinked)
    case .providerAlreadyLinked: .refused(.providerAlreadyLinked)
    case .issuerChanged:
      .refused(
        .operationNotAllowed,
        "The provider's issuer has changed since this identity was linked. "
          + "The operator has to confirm that both issuers have the same users.")
    case .lastCredential:
      .refused(.operationNotAllowed, "The last way to sign in can't be removed from an account.")
    case .tooManyPasswordKeys:
      .refused(
        .invalidHashParameters,
        "The project has imported users with too many different signer keys.")
    case .tooManyToSort:
      .refused(
        .invalidArgument,
        "The project has too many accounts for this order. Sort by USER_ID, or list them with "
          + "accounts:batchGet.")
    case .overloaded, .messageNotDelivered: .unavailable
    }
  }
}

extension BlockingRefusal {
  /// As Google's service writes it: its SDKs for apps read the function's message from the JSON.
  fileprivate var detail: String {
    guard isFunctions else { return message }
    var writer = JSONWriter()
    writer.object { body in
      body.object("error") {
        $0.member("message", message)
        $0.member("status", status)
      }
    }
    return "HTTP Cloud Function returned an error: "
      + String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension NonceFault {
  fileprivate var detail: String {
    switch self {
    case .notIssued: "The nonce was not issued by this server for this project."
    case .expired: "The nonce has expired. Request a new one."
    case .otherSession: "The nonce was issued to another session."
    case .used: "The nonce was used before. Request a new one."
    case .ofClient:
      "This project accepts only nonces of POST /v1/nonces. A client can't create its own."
    case .missing: "Nonce is missing in the request. This project requires one for each sign-in."
    }
  }
}

extension BrowserSignInFault {
  fileprivate var detail: String {
    switch self {
    case .stateMissing: "The provider's answer has no state."
    case .notIssued: "The state was not issued by this server for this project."
    case .expired: "The sign-in took too long. Begin it again."
    case .otherBrowser: "The sign-in began in another browser."
    case .otherSession: "The sessionId differs from the one that the sign-in began with."
    case .used: "The provider's answer was used before. Begin the sign-in again."
    case .otherPurpose:
      "A sign-in that began as a link needs the account's idToken. Other sign-ins must not have one."
    case .otherProvider: "The sign-in began with another provider."
    case .otherAddress: "The requestUri differs from the redirect URI that the provider received."
    case .answerMissing: "The provider's answer has neither a code or token nor an error."
    case .refusedByProvider(let error): "The provider rejected the sign-in: \(error)"
    case .repeatedParameter: "The provider's answer repeats a parameter."
    }
  }
}
