package import Foundation
package import GatehouseModel
package import GatehouseTokens

/// An account as another system has it. Everything in it is an administrator's word.
package struct ImportedAccount: Sendable {
  package let uid: UID
  package var email: EmailAddress?
  package var isEmailVerified = false
  package var displayName: String?
  package var photoURL: String?
  /// E.164.
  package var phoneNumber: String?
  package var password: ImportedPassword?
  /// Hashed when it is imported; counts before a hash.
  package var plainPassword: Secret<String>?
  /// The account was entered by a code that was sent to its address.
  package var hasEmailLink = false
  package var customClaims: CustomClaims?
  package var isDisabled = false
  /// Not in the future. Nil: the time of the import.
  package var createdAt: Date?
  package var lastLoginAt: Date?
  /// Tokens from before are refused. Nil: the time of the import.
  package var validSince: Date?
  /// At most one per provider.
  package var identities: [AssignedIdentity] = []

  package init(uid: UID) { self.uid = uid }
}

/// A password's hash and salt as the ``HashScheme`` of the import made them.
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
  /// Of every password in the import; nil where there are none.
  package var scheme: HashScheme?
  package var existing: Existing = .refuse
  /// Everything is checked and nothing written. What stands twice in the import is found only if it
  /// falls into one transaction.
  package var isTrial = false

  /// What becomes of an account that is there already under its id.
  package enum Existing: Sendable {
    case refuse
    /// It stays as it is: an import that broke off is run again so.
    case keep
    /// It is replaced whole, and its sessions end.
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
  /// The scheme can't have made such a hash, or checking it would cost too much.
  case passwordHash
  case passwordSalt
  case createdInFuture
}

/// What came of an import.
package struct ImportOutcome: Sendable {
  package var imported = 0
  /// Accounts that were there and stayed, under ``ImportOptions/Existing/keep``.
  package var kept = 0
  /// By the account's place in the import, in order.
  package var refusals: [(index: Int, refusal: ImportRefusal)] = []

  package init() {}
}
