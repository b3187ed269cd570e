/// Why the domain refuses. One place in the API turns each into a status and a message.
///
/// `==` compares everything. No case carries a token, a password or an email address.
package enum AccountsError: Error, Hashable, Sendable {
  // Who is asking
  case invalidIDToken
  case tokenExpired
  case userNotFound
  case userDisabled
  case invalidRefreshToken
  case invalidPendingToken
  case invalidSessionCookie
  /// The sign-in is older than the project's limit for a sensitive change.
  case credentialTooOld

  // Signing in
  /// A token that carries a nonce was presented before.
  case duplicateCredential
  case nonce(NonceFault)
  /// What came back from a provider by way of a browser.
  case browserSignIn(BrowserSignInFault)
  case emailNotFound
  case invalidPassword
  /// The answer that doesn't tell which of the two was wrong.
  case invalidLoginCredentials
  case passwordLoginDisabled
  /// The project leaves this to administrators.
  case adminOnlyOperation
  /// The identity's provider is turned off.
  case providerDisabled
  /// The project has no passwords, so none is set.
  case passwordsDisabled
  /// The project has no sign-in by a link in a mail.
  case emailLinksDisabled
  /// Under enumeration protection another address has to be verified before it is the account's.
  case newEmailUnverified
  /// the rate limit: too many attempts on the account or from the address; over in minutes.
  case tooManyAttempts

  /// A session cookie can't live so long, or so short.
  case invalidDuration

  // Codes that are sent to an address
  /// Never made, used, or ended since.
  case invalidActionCode
  case expiredActionCode
  /// The code was sent to another address than the one the person names.
  case emailMismatch
  /// The account has no address.
  case missingEmail
  /// Too many codes for the address or the account, and nobody uses them.
  case tooManyActionCodes
  /// The server has nothing to send a code with.
  case deliveryMissing

  // Telephone numbers
  /// The project has no sign-in by a code in a text message.
  case phoneSignInDisabled
  /// The project sends no messages to numbers that begin so.
  case phoneRegionDisabled
  /// The project has nothing to send text messages with.
  case messageDeliveryMissing
  /// What sends the text messages didn't take this one over.
  case messageNotDelivered
  /// As many messages as the project, or a range of numbers, may have were sent.
  case messageQuotaExceeded
  /// Never begun, used, or another project's.
  case invalidSessionInfo
  /// Too old, or ended by wrong codes.
  case sessionExpired
  case invalidCode
  case invalidTemporaryProof

  // Changing accounts
  case emailExists
  case phoneNumberExists
  case duplicateLocalID
  case weakPassword
  case passwordTooLong
  /// The project's password policy asks for these.
  case passwordRequirements([PasswordRequirement])
  case identityLinkedElsewhere
  case providerAlreadyLinked
  /// The identity was linked while the provider had another issuer, whose subjects are other users.
  case issuerChanged
  /// These would come together in one account, and the person has to agree to it first.
  case consentRequired([AccountPart])
  /// The project keeps at least one way into every account.
  case lastCredential

  /// The project has had imports with more different keys than it may keep.
  case tooManyPasswordKeys

  /// The project has more accounts than are sorted by anything but their ids.
  case tooManyToSort

  /// More passwords are waiting to be hashed than the server takes.
  case overloaded
}

/// What is wrong with a nonce of the server's, or with a nonce that isn't one.
package enum NonceFault: Hashable, Sendable {
  /// Altered, made up, or another project's.
  case notIssued
  case expired
  /// Another session's than the one that uses it.
  case otherSession
  case used
  /// The project takes the server's alone, and this is the client's own.
  case ofClient
  /// The project takes the server's alone, and there is none.
  case missing
}
