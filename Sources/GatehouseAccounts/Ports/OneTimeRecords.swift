package import Foundation
package import GatehouseModel

/// Things that happen once, each kept until it can't matter any more.
package protocol OneTimeRecords {
  /// Records a provider's token as used. False if it was used before.
  func spend(_ token: SingleUseToken, in project: ProjectID) throws -> Bool

  /// Whether ``spend(_:in:)`` recorded it, and it wasn't swept since.
  func isSpent(_ token: SingleUseToken, in project: ProjectID) throws -> Bool

  /// Records that an identity left its account, so that what was issued for it before is refused.
  func recordDetachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID, at time: Date,
    keptUntil: Date
  ) throws

  /// When the identity last left an account, if that is still remembered.
  func detachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws -> Date?

  /// Removes at most `limit` records whose time is over; answers how many went.
  func sweepOneTimeRecords(now: Date, limit: Int) throws -> Int
}
