package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// An account from another system. An administrator vouches for everything in it.
package struct ImportedAccount: Sendable {
  package let uid: UID
  package var email: EmailAddress?
  package var isEmailVerified = false
  package var displayName: String?
  package var photoURL: String?
  /// E.164.
  package var phoneNumber: String?
  package var password: ImportedPassword?
  /// Hashed during the import. If ``password`` is given too, this one is used.
  package var plainPassword: Secret<String>?
  /// The user could sign in with a link that was emailed to the account's address.
  package var hasEmailLink = false
  package var customClaims: CustomClaims?
  package var isDisabled = false
  /// Not in the future. Nil: the time of the import.
  package var createdAt: Date?
  package var lastLoginAt: Date?
  /// Tokens issued before this time are rejected. Nil: the time of the import.
  package var validSince: Date?
  /// At most one per provider.
  package var identities: [AssignedIdentity] = []
  package var secondFactors: [AssignedFactor] = []

  package init(uid: UID) { self.uid = uid }
}

/// A password's hash and salt, computed by the import's ``HashScheme``.
package struct ImportedPassword: Sendable {
  package let digest: [UInt8]
  package let salt: [UInt8]

  package init(digest: [UInt8], salt: [UInt8]) {
    self.digest = digest
    self.salt = salt
  }
}

/// How accounts are imported.
package struct ImportOptions: Sendable {
  /// The scheme of every password in the import; nil if there are none.
  package var scheme: HashScheme?
  package var existing: Existing = .refuse
  /// Everything is checked and nothing is written. Duplicates within the import are found only if
  /// they are in the same hundred accounts, which are checked in one transaction.
  package var isTrial = false

  /// What happens if an account with the same id exists.
  package enum Existing: String, Sendable {
    case refuse
    /// It stays as it is. Use this to repeat an import that was interrupted.
    case keep
    /// It is replaced, and its sessions and codes end. Kept tokens of identities that it loses are
    /// deleted. Its consents stay, and its second factors if the import has none. If its deletion is scheduled,
    /// it stays so. ``Account/isCustom`` stays.
    case replace
  }

  package init() {}
}

/// Why one account isn't imported. `==` compares everything.
package enum ImportRefusal: Error, Hashable, Sendable {
  case uidExists
  case emailExists
  case phoneNumberExists
  case identityExists
  /// Two identities of one provider.
  case twoIdentities
  /// There is a password, and the import names no ``HashScheme``.
  case noScheme
  /// The scheme can't have produced this hash, or checking it would cost too much.
  case passwordHash
  case passwordSalt
  case createdInFuture
}

/// The result of an import.
package struct ImportOutcome: Sendable {
  package var imported = 0
  /// Existing accounts that were kept, under ``ImportOptions/Existing/keep``.
  package var kept = 0
  /// With the account's index in the import, in order.
  package var refusals: [(index: Int, refusal: ImportRefusal)] = []

  package init() {}
}
