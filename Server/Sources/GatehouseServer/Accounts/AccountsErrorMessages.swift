import GatehouseProtocol

/// The wire messages of the domain's errors.
extension ErrorMapping {
  static func message(_ error: AccountsError) -> ErrorMessage {
    switch error {
    case .invalidIDToken: .init(.invalidIDToken)
    case .tokenExpired: .init(.tokenExpired)
    case .userNotFound: .init(.userNotFound)
    case .userDisabled: .init(.userDisabled)
    case .invalidRefreshToken: .init(.invalidRefreshToken)
    case .invalidPendingToken: .init(.invalidPendingToken)
    case .invalidSessionCookie: .init(.invalidSessionCookie)
    case .credentialTooOld: .init(.credentialTooOldLoginAgain)
    case .duplicateCredential:
      .init(
        .missingOrInvalidNonce,
        "Duplicate credential received. "
          + "Please try again with a new credential.")
    case .nonce(let fault): .init(.missingOrInvalidNonce, detail(fault))
    case .browserSignIn(let fault): .init(.invalidIDPResponse, detail(fault))
    case .consentRequired(let parts):
      .init(
        .consentRequired,
        "The user has to consent before these are linked in one account: "
          + "\(parts.map(\.name).joined(separator: ", ")).")
    case .blockedByFunction(let refusal):
      .init(.blockingFunctionErrorResponse, detail(refusal))
    case .emailNotFound: .init(.emailNotFound)
    case .invalidPassword: .init(.invalidPassword)
    case .invalidLoginCredentials: .init(.invalidLoginCredentials)
    case .passwordLoginDisabled: .init(.passwordLoginDisabled)
    case .adminOnlyOperation: .init(.adminOnlyOperation)
    case .providerDisabled:
      .init(.operationNotAllowed, "The identity provider configuration is disabled.")
    case .newEmailUnverified:
      .init(.operationNotAllowed, "Please verify the new email before changing email.")
    case .invalidDuration: .init(.invalidDuration)
    case .tooManyAttempts: .init(.tooManyAttemptsTryLater, "Too many attempts. Try again later.")
    case .passwordsDisabled, .emailLinksDisabled, .phoneSignInDisabled: .init(.operationNotAllowed)
    case .invalidActionCode: .init(.invalidOOBCode)
    case .expiredActionCode: .init(.expiredOOBCode)
    case .emailMismatch:
      .init(.invalidEmail, "The email provided does not match the sign-in email address.")
    case .missingEmail: .init(.missingEmail)
    case .tooManyActionCodes:
      .init(.tooManyAttemptsTryLater, "Too many unused codes exist for this address.")
    case .deliveryMissing:
      .init(
        .operationNotAllowed,
        "This server can't send mail. An administrator can request the link with "
          + "returnOobLink.")
    case .phoneRegionDisabled:
      .init(.operationNotAllowed, "This project sends no messages to numbers of this region.")
    case .messageDeliveryMissing:
      .init(.operationNotAllowed, "This project can't send text messages: it has no webhook.")
    case .messageNotDelivered: .init(.unavailable)
    case .messageQuotaExceeded: .init(.quotaExceeded, "Exceeded quota for sending text messages.")
    case .invalidSessionInfo: .init(.invalidSessionInfo)
    case .sessionExpired: .init(.sessionExpired)
    case .invalidCode: .init(.invalidCode)
    case .invalidTemporaryProof: .init(.invalidTemporaryProof)
    case .emailExists: .init(.emailExists)
    case .phoneNumberExists: .init(.phoneNumberExists)
    case .duplicateLocalID: .init(.duplicateLocalID)
    case .weakPassword: .init(.weakPassword, "Password should be at least 6 characters")
    case .passwordTooLong:
      .init(.passwordDoesNotMeetRequirements, "Password cannot be longer than 4096 characters")
    case .passwordRequirements(let missing):
      .init(
        .passwordDoesNotMeetRequirements,
        "Missing password requirements: "
          + "[\(missing.map(\.message).joined(separator: ", "))]")
    case .identityLinkedElsewhere: .init(.federatedUserIDAlreadyLinked)
    case .providerAlreadyLinked: .init(.providerAlreadyLinked)
    case .issuerChanged:
      .init(
        .operationNotAllowed,
        "The provider's issuer has changed since this identity was linked. "
          + "The operator has to confirm that both issuers have the same users.")
    case .lastCredential:
      .init(.operationNotAllowed, "The last way to sign in can't be removed from an account.")
    case .tooManyPasswordKeys:
      .init(
        .invalidHashParameters,
        "The project has imported users with too many different signer keys.")
    case .tooManyToSort:
      .init(
        .invalidArgument,
        "The project has too many accounts for this order. Sort by USER_ID, or list them with "
          + "accounts:batchGet.")
    case .overloaded: .init(.unavailable)
    }
  }

  static func message(_ fault: ProfileBounds.Fault) -> ErrorMessage {
    let detail =
      switch fault {
      case .nameTooLong: "Display name too long."
      case .nameHasControlCharacters: "Display name has control characters."
      case .photoURLTooLong: "Photo URL too long."
      case .photoURLHasControlCharacters: "Photo URL has control characters."
      }
    return .init(.invalidProfileAttribute, detail)
  }

  /// As Google's service writes it: its SDKs for apps read the function's message from the JSON.
  private static func detail(_ refusal: BlockingRefusal) -> String {
    guard refusal.isFunctions else { return refusal.message }
    var writer = JSONWriter()
    writer.object { body in
      body.object("error") {
        $0.member("message", refusal.message)
        $0.member("status", refusal.status)
      }
    }
    return "HTTP Cloud Function returned an error: "
      + String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func detail(_ fault: NonceFault) -> String {
    switch fault {
    case .notIssued: "The nonce was not issued by this server for this project."
    case .expired: "The nonce has expired. Request a new one."
    case .otherSession: "The nonce was issued to another session."
    case .used: "The nonce was used before. Request a new one."
    case .ofClient:
      "This project accepts only nonces of POST /v1/nonces. A client can't create its own."
    case .missing: "Nonce is missing in the request. This project requires one for each sign-in."
    }
  }

  private static func detail(_ fault: BrowserSignInFault) -> String {
    switch fault {
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
