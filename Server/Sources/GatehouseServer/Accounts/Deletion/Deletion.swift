package import GatehouseProtocol

package import struct Foundation.Date

/// What a deletion did, without personal data: the contents of its receipt.
package struct Deletion: Hashable, Sendable {
  package enum Requester: String, Hashable, Sendable {
    case user, administrator
  }

  package enum State: Hashable, Sendable {
    case erased(Erased)
    /// The account will be erased at this time, unless its user signs in before.
    case scheduled(Date)
  }

  package let uid: UID
  package let requester: Requester
  package let at: Date
  package let state: State
}

/// What was erased with an account.
package struct Erased: Hashable, Sendable {
  /// The providers of the erased identities.
  package var identities: [ProviderID] = []
  package var providerTokens = 0
  package var consents = 0
  /// The providers at which a revocation is queued.
  package var revocations: [ProviderID] = []
}
