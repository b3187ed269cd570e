package import Foundation
package import GatehouseModel
package import GatehouseTokens

/// A person's account in one project, with the identities that open it.
///
/// A value: a use case reads one in a transaction, changes it and hands it back.
package struct Account: Sendable {
  package let uid: UID
  package var email: EmailAddress?
  /// True only if a trusted provider, an emailed code or an administrator verified the address.
  package var isEmailVerified = false
  /// When somebody last showed that the address is theirs. Nil where ``isEmailVerified`` is false,
  /// and for accounts that were verified before this was kept.
  package var emailVerifiedAt: Date?
  package var displayName: String?
  package var photoURL: String?
  /// E.164, with its `+`.
  package var phoneNumber: String?
  /// When the number came to the account. Nil where there is none, or it came before this was kept.
  package var phoneLinkedAt: Date?
  /// As ``LinkedIdentity/unconfirmedSince``, of the number.
  package var phoneUnconfirmedSince: Date?
  package var password: PasswordHash?
  package var passwordUpdatedAt: Date?
  /// The account is entered by a code that is sent to its address.
  package var hasEmailLink = false
  package var customClaims: CustomClaims?
  package var isDisabled = false
  /// What an administrator set, and nobody changed since.
  package var assignedFields: AssignedFields = []
  /// The account has signed in with a token that the project's own back end made.
  package var isCustom = false
  package let createdAt: Date
  package var lastLoginAt: Date?
  package var lastRefreshAt: Date?
  /// Whole seconds. A token issued before it is refused, whatever its session says.
  package var validSince: Date
  /// In the order in which they were linked; at most one per provider.
  package var identities: [LinkedIdentity] = []

  /// - Parameter createdAt: Kept to the millisecond.
  package init(uid: UID, createdAt: Date) {
    self.uid = uid
    self.createdAt = createdAt.wholeMilliseconds
    validSince = createdAt.wholeSeconds
  }

  /// Whether nothing but a session leads into this account.
  package var isAnonymous: Bool {
    email == nil && phoneNumber == nil && password == nil && identities.isEmpty && !isCustom
  }

  /// Whether there is a way in that a person can come back by.
  var hasCredential: Bool {
    !identities.isEmpty || ((password != nil || hasEmailLink) && email != nil) || phoneNumber != nil
      || isCustom
  }

  package func identity(of provider: ProviderID) -> LinkedIdentity? {
    identities.first { $0.provider == provider }
  }

  /// Records that somebody just showed that the account's address is theirs.
  mutating func verifyEmail(now: Date) {
    isEmailVerified = true
    emailVerifiedAt = now.wholeMilliseconds
  }

  /// Gives the account another address, or none: whoever it belongs to has shown nothing yet.
  mutating func replaceEmail(by email: EmailAddress?) {
    self.email = email
    isEmailVerified = false
    emailVerifiedAt = nil
  }
}

/// Fields of an account by who set them last. A field that isn't named here was set by the account's
/// user, or by what signed in to it.
package struct AssignedFields: OptionSet, Hashable, Sendable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static let displayName = AssignedFields(rawValue: 1)
  package static let photoURL = AssignedFields(rawValue: 2)
  package static let phoneNumber = AssignedFields(rawValue: 4)
}

/// An outside identity that opens an account: unique per project by (provider, subject), and of one
/// issuer.
package struct LinkedIdentity: Hashable, Sendable {
  package let provider: ProviderID
  package let subject: Subject
  /// Whose subject it is, for a provider whose issuer is configured. Nil for the others, and for
  /// identities that were kept before the issuer was.
  package var issuer: String?
  /// The time of the sign-in behind the session that linked it, where that was too long ago to count
  /// as recent. Nil: the identity is confirmed.
  ///
  /// A stolen ID token is enough to link one's own identity. Until somebody signs in with another
  /// credential of the account, a sign-in with this one counts as made at that time.
  package var unconfirmedSince: Date?
  /// What the provider said last; decides nothing.
  package var email: EmailAddress?
  package var displayName: String?
  package var photoURL: String?
  package var screenName: String?
  /// Whether the address is a private relay, where the provider ever said so.
  package var isPrivateEmail: Bool?
  /// What the first token said that said anything.
  package var realUserStatus: RealUserStatus?
  package var linkedAt: Date

  package init(provider: ProviderID, subject: Subject, linkedAt: Date) {
    self.provider = provider
    self.subject = subject
    self.linkedAt = linkedAt
  }
}

/// A password's hash with everything that is needed to check it again, so that the parameters of
/// new hashes can change without a migration.
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
