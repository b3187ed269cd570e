package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// The change of one field.
package enum Change<Value: Sendable>: Sendable {
  case keep
  case set(Value)
  case remove

  /// The field's value afterwards.
  func applied(to value: Value?) -> Value? {
    switch self {
    case .keep: value
    case .set(let new): new
    case .remove: nil
    }
  }

  var isKeep: Bool {
    if case .keep = self { true } else { false }
  }
}

/// What a user may change in their own account.
package struct ProfileChanges: Sendable {
  package var displayName: Change<String> = .keep
  package var photoURL: Change<String> = .keep
  package var email: Change<EmailAddress> = .keep
  package var password: Change<Secret<String>> = .keep
  /// Providers whose identity is unlinked; `password` and `phone` name those credentials.
  package var unlinkedProviders: [ProviderID] = []
  /// Credential ids of passkeys that are removed. Unknown ones are ignored.
  package var removedPasskeys: [[UInt8]] = []
  /// Ends every session and rejects all earlier tokens.
  package var revokesTokens = false

  package init() {}
}

/// What an administrator may change in any account.
package struct AdministratorChanges: Sendable {
  package var profile = ProfileChanges()
  package var isEmailVerified: Bool?
  package var isDisabled: Bool?
  package var lastLoginAt: Date?
  /// E.164.
  package var phoneNumber: Change<String> = .keep
  package var customClaims: Change<CustomClaims> = .keep
  /// Tokens issued before this time are rejected.
  package var validSince: Date?
  package var link: AssignedIdentity?
  /// All second factors that the account has afterwards. Nil: they stay.
  package var secondFactors: [AssignedFactor]?

  package init() {}
}

/// An identity that an administrator vouches for.
package struct AssignedIdentity: Sendable {
  package var provider: ProviderID
  package var subject: Subject
  package var email: EmailAddress?
  package var displayName: String?
  package var photoURL: String?

  package init(provider: ProviderID, subject: Subject) {
    self.provider = provider
    self.subject = subject
  }
}

extension LinkedIdentity {
  /// - Parameter issuer: The issuer to which the subject that the administrator named belongs; nil if
  ///   it isn't known.
  init(_ assigned: AssignedIdentity, issuer: String?, linkedAt: Date) {
    self.init(provider: assigned.provider, subject: assigned.subject, linkedAt: linkedAt)
    self.issuer = issuer
    email = assigned.email
    displayName = assigned.displayName
    photoURL = assigned.photoURL
  }
}
