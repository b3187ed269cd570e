/// Why the domain rejects a request. `ErrorMapping` of the API maps each case to a status and a message.
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

  /// A blocking function of the project refused the sign-in or the new account, or failed. If it refused,
  /// it may have written the message.
  case blockedByFunction(BlockingRefusal)

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
