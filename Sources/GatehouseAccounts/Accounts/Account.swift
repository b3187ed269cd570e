package import Foundation
package import GatehouseModel
package import GatehouseTokens

/// A person's account in one project, with the identities that open it.
///
/// A value: a use case reads one in a transaction, changes it and hands it back.
package struct Account: Sendable {
  package let uid: UID
  package var email: EmailAddress?
  /// True only if a trusted provider, an emailed code or an administrator proved the address.
  package var isEmailVerified = false
  package var displayName: String?
  package var photoURL: String?
  /// E.164, with its `+`.
  package var phoneNumber: String?
  package var password: PasswordHash?
  package var passwordUpdatedAt: Date?
  /// The account is entered by a code that is sent to its address.
  package var hasEmailLink = false
  package var customClaims: CustomClaims?
  package var isDisabled = false
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
}

/// An outside identity that opens an account: unique per project by (provider, subject).
package struct LinkedIdentity: Hashable, Sendable {
  package let provider: ProviderID
  package let subject: Subject
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
