import Crypto
package import Foundation
import GatehouseProtocol

/// Identifies a counter by the kind of attempt and its owner. Examples are the failed passwords of one
/// account, and the sign-ups of one client address.
package struct AttemptCounter: Hashable, Sendable {
  package let kind: Kind
  /// SHA-256 of the owner. Failed passwords are counted by email address, whether or not an account
  /// has the address, so that counting reveals nothing. The address isn't stored as plain text.
  package let owner: [UInt8]

  package enum Kind: String, Sendable, CaseIterable {
    case failuresOfAccount
    case failuresOfAddress
    case signUpsOfAddress
    /// Sign-ins and links with a provider whose response reveals that an account exists.
    case disclosuresOfAddress
    case providerCallsOfAccount
    case codesOfAddress
    case codesOfProject
    case accountsOfIdentity
    /// Codes and access tokens that a provider rejected.
    case providerRefusalsOfAddress
    case messagesOfNumber
    /// Those to the second factors of an account.
    case messagesOfFactor
    /// Messages to numbers that differ only in their last four digits.
    case messagesOfRange
    case messagesOfAddress
    case messagesOfProject
    case wrongCodesOfNumber
    case wrongCodesOfEmail
    /// Those of ``wrongCodesOfEmail``, for all addresses of a project.
    case wrongCodesOfProject
    /// Those of ``wrongCodesOfEmail``, from one client.
    case wrongCodesOfAddress
    case wrongSecondFactorsOfAccount
    /// Those of ``wrongSecondFactorsOfAccount``, in a day.
    case wrongSecondFactorsOfDay
    /// Sign-ins and sign-ups that a blocking function refused.
    case functionRefusalsOfAddress
    /// Not an attempt: an old session of the account has ended one. See `OldSessionLinks.swift`.
    case endingsByOldSession
  }

  package init(kind: Kind, owner: [UInt8]) {
    self.kind = kind
    self.owner = owner
  }

  init(_ kind: Kind, _ owner: some CustomStringConvertible) {
    self.init(kind: kind, owner: Array(SHA256.hash(data: Data(owner.description.utf8))))
  }
}

/// The attempts in one window.
package struct Attempts: Hashable, Sendable {
  package var count: Int
  /// The end of the window that the first attempt opened. From then on the attempts don't count.
  package let endsAt: Date

  package init(count: Int, endsAt: Date) {
    self.count = count
    self.endsAt = endsAt
  }
}
