import Crypto
package import Foundation
import GatehouseModel

/// What is counted, and whose it is: the failed passwords of one account, the sign-ups of one
/// address.
package struct AttemptCounter: Hashable, Sendable {
  package let kind: Kind
  /// SHA-256 of whose. An email address stands for its account, whether there is one or not, so
  /// that counting tells nothing; it isn't written down in plain.
  package let owner: [UInt8]

  package enum Kind: String, Sendable, CaseIterable {
    case failuresOfAccount
    case failuresOfAddress
    case signUpsOfAddress
    case providerCallsOfAccount
    case codesOfAddress
    case accountsOfIdentity
    /// Codes and access tokens that a provider refused.
    case providerRefusalsOfAddress
    case messagesOfNumber
    /// Of numbers that differ in their last four digits alone.
    case messagesOfRange
    case messagesOfAddress
    case messagesOfProject
    case wrongCodesOfNumber
  }

  package init(kind: Kind, owner: [UInt8]) {
    self.kind = kind
    self.owner = owner
  }

  init(_ kind: Kind, _ owner: some CustomStringConvertible) {
    self.init(kind: kind, owner: Array(SHA256.hash(data: Data(owner.description.utf8))))
  }
}

/// The attempts of one window of time.
package struct Attempts: Hashable, Sendable {
  package var count: Int
  /// When the window ends that the first of them opened. Afterwards they don't count.
  package let endsAt: Date

  package init(count: Int, endsAt: Date) {
    self.count = count
    self.endsAt = endsAt
  }
}
