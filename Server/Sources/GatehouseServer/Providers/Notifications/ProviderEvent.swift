package import GatehouseProtocol

package import struct Foundation.Date

/// What a provider reports about one of its users, after the report was verified.
package struct ProviderEvent: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The user withdrew the app's access, or all tokens were revoked.
    case consentRevoked = "consent-revoked"
    /// The user's account at the provider was deleted.
    case accountDeleted = "account-deleted"
    /// The user stopped the forwarding of mail from their private relay address.
    case emailDisabled = "email-disabled"
    case emailEnabled = "email-enabled"
    /// The provider ended the user's sessions, for example after a change of the password.
    case sessionsRevoked = "sessions-revoked"
    /// The provider disabled the user's account, for example because it was hijacked.
    case accountDisabled = "account-disabled"
    case accountEnabled = "account-enabled"
    /// A test event that the operator requested from the provider. It concerns no user.
    case verification
  }

  package let provider: ProviderID
  package let kind: Kind
  /// The user; nil for ``Kind/verification``.
  package let subject: Subject?
  /// When it happened at the provider.
  package let occurredAt: Date

  package init(provider: ProviderID, kind: Kind, subject: Subject?, occurredAt: Date) {
    self.provider = provider
    self.kind = kind
    self.subject = subject
    self.occurredAt = occurredAt
  }
}
