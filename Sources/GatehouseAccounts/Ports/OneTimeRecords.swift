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

  /// Keeps a name, in the place of an earlier one of the same subject. Of a project's names the `limit`
  /// that are kept longest stay.
  func save(_ name: ArrivedName, in project: ProjectID, keptUntil: Date, limit: Int) throws

  /// Nil if there is none, or its time is over.
  func arrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID, now: Date
  ) throws -> ArrivedName?

  func deleteArrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws

  /// Removes at most `limit` records whose time is over; answers how many went.
  func sweepOneTimeRecords(now: Date, limit: Int) throws -> Int
}
