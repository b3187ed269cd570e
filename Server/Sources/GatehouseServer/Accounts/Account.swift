package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// A user's account in one project, with the identities that can sign in to it.
///
/// A value type: a use case reads an account in a transaction, changes it and saves it.
package struct Account: Sendable {
  package let uid: UID
  package var email: EmailAddress?
  /// True only if a trusted provider, an emailed code, an administrator or a blocking function
  /// verified the address.
  package var isEmailVerified = false
  /// When the address was last verified; a sign-in with a provider renews the time at most once a
  /// day. Nil if ``isEmailVerified`` is false, and for accounts that were verified before the server
  /// stored this time.
  package var emailVerifiedAt: Date?
  /// The address that the account had before its first change of the address. Nil if the address has
  /// not changed.
  package var initialEmail: EmailAddress?
  package var displayName: String?
  package var photoURL: String?
  /// E.164, with its `+`.
  package var phoneNumber: String?
  /// When the number was linked to the account. Nil without a number, for an imported number, and
  /// for a number linked before the server stored this time.
  package var phoneLinkedAt: Date?
  /// Like ``LinkedIdentity/unconfirmedSince``, for the phone number.
  package var phoneUnconfirmedSince: Date?
  package var passkeys = PasskeyCount()
  package var password: PasswordHash?
  package var passwordUpdatedAt: Date?
  /// The user has signed in with a link that was emailed to the account's address, or could do so
  /// in the system from which the account was imported.
  package var hasEmailLink = false
  package var customClaims: CustomClaims?
  package var isDisabled = false
  /// When the account is going to be erased, because its user deleted it in a project with a grace
  /// period. A sign-in before that time keeps the account.
  package var deletionScheduledFor: Date?
  /// The fields that an administrator or a blocking function set last.
  package var assignedFields: AssignedFields = []
  /// The user has signed in with a custom token.
  package var isCustom = false
  package let createdAt: Date
  /// When the account came from another system; nil if it was created here.
  package var importedAt: Date?
  package var lastLoginAt: Date?
  package var lastRefreshAt: Date?
  /// The language that a sign-in named last, as a BCP 47 tag. Nil if no sign-in has named one.
  package var language: String?
  /// Whole seconds. Tokens issued before this time are rejected, even if their session is live.
  package var validSince: Date
  /// When all of the account's sessions were last ended, to the millisecond. Nil if they never were.
  package var revokedAt: Date?
  /// Nil if none was ever enrolled.
  package var secondFactors: SecondFactors?
  /// In the order in which they were linked; at most one per provider.
  package var identities: [LinkedIdentity] = []

  /// - Parameter createdAt: Kept to the millisecond.
  package init(uid: UID, createdAt: Date) {
    self.uid = uid
    self.createdAt = createdAt.wholeMilliseconds
    validSince = createdAt.wholeSeconds
  }

  /// Whether the account has no email, phone number, password, passkey or identity, and no custom token
  /// has signed in to it. Only its session then gives access to it.
  package var isAnonymous: Bool {
    email == nil && phoneNumber == nil && password == nil && identities.isEmpty && !isCustom
      && passkeys.all == 0
  }

  /// Whether the account has a credential with which its user can sign in again.
  var hasCredential: Bool { hasOtherCredentialThanPasskey || isCustom || passkeys.all > 0 }

  var hasOtherCredentialThanPasskey: Bool {
    !identities.isEmpty || ((password != nil || hasEmailLink) && email != nil) || phoneNumber != nil
  }

  /// Whether the user's sessions at the system from which the account was imported may be continued here:
  /// the account's sessions were not ended since. The other system doesn't know when they are.
  var hasSessionsElsewhere: Bool {
    guard let importedAt else { return false }
    return validSince <= importedAt && !isRevoked(since: importedAt)
  }

  /// Whether all of the account's sessions were ended after `time`.
  func isRevoked(since time: Date) -> Bool {
    revokedAt.map { time.wholeMilliseconds < $0 } ?? false
  }

  package func identity(of provider: ProviderID) -> LinkedIdentity? {
    identities.first { $0.provider == provider }
  }

  /// Records a sign-in.
  ///
  /// - Parameter language: The language that the app named. Nil keeps the stored one.
  /// - Returns: Whether more than its times changed, so that the whole account must be saved.
  @discardableResult
  mutating func recordSignIn(language: String?, now: Date) -> Bool {
    lastLoginAt = now
    lastRefreshAt = now
    guard let language, language != self.language else { return false }
    self.language = language
    return true
  }

  /// Records that the account's address was verified at `now`.
  mutating func verifyEmail(now: Date) {
    isEmailVerified = true
    emailVerifiedAt = now.wholeMilliseconds
  }

  /// Sets another address or removes it. The account's address is then unverified.
  mutating func replaceEmail(by email: EmailAddress?) {
    if let email, let former = self.email, email != former, initialEmail == nil {
      initialEmail = former
    }
    self.email = email
    isEmailVerified = false
    emailVerifiedAt = nil
  }
}

/// Which of these three fields of an account an administrator or a blocking function set last. The
/// others were set by the user, or come from an identity that signed in.
package struct AssignedFields: OptionSet, Hashable, Sendable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static let displayName = AssignedFields(rawValue: 1)
  package static let photoURL = AssignedFields(rawValue: 2)
  package static let phoneNumber = AssignedFields(rawValue: 4)
}

/// An external identity that can sign in to an account. (provider, subject) is unique in a project.
package struct LinkedIdentity: Hashable, Sendable {
  package let provider: ProviderID
  package let subject: Subject
  /// The issuer of the subject, for a provider whose issuer is configured. Nil for other providers. Nil
  /// also if an import or an administrator linked the identity while the configuration didn't determine
  /// its issuer: then it gets the issuer of the next token with which the user signs in.
  package var issuer: String?
  /// Set if the identity was linked without a recent sign-in: the authentication time of the
  /// session that linked it. Nil: the identity is confirmed.
  ///
  /// An attacker with a stolen ID token can link their own identity. Until the user signs in with
  /// another credential of the account, a sign-in with this identity gets no later authentication
  /// time.
  package var unconfirmedSince: Date?
  /// The email that the provider reported last.
  package var email: EmailAddress?
  package var displayName: String?
  package var photoURL: String?
  package var screenName: String?
  /// Whether the provider reported a private relay address; nil if it never said.
  package var isPrivateEmail: Bool?
  /// Apple's estimate in the first token that had one.
  package var realUserStatus: RealUserStatus?
  /// The first estimate that the app sent beside a token, which isn't signed. Nil once a token had one.
  package var realUserStatusFromApp: RealUserStatus?
  package var linkedAt: Date
  /// When this server last began to revoke the user's grant at the provider, as an app requested.
  /// Nil again after the provider reported this revocation.
  package var revocationRequestedAt: Date?
  /// Whether the user stopped mail to the private relay address; nil if the provider never
  /// reported it.
  package var isForwardingDisabled: Bool?
  /// When ``isForwardingDisabled`` last changed, according to the provider.
  package var forwardingChangedAt: Date?
  /// When the user withdrew the app's access at the provider, according to the provider. Nil again
  /// after the next sign-in with the identity.
  package var consentRevokedAt: Date?

  package init(provider: ProviderID, subject: Subject, linkedAt: Date) {
    self.provider = provider
    self.subject = subject
    self.linkedAt = linkedAt
  }
}

/// A password hash with everything that is needed to verify a password. The parameters of new
/// hashes can thus change without a migration.
package struct PasswordHash: Hashable, Sendable {
  /// The algorithm's name and parameters in its own notation, e.g. `scrypt$ln=15,r=8,p=3`.
  package var parameters: String
  package var salt: [UInt8]
  package var digest: [UInt8]

  package init(parameters: String, salt: [UInt8], digest: [UInt8]) {
    self.parameters = parameters
    self.salt = salt
    self.digest = digest
  }
}
