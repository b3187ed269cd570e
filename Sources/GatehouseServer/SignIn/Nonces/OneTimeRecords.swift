package import Foundation
package import GatehouseModel

/// Records of events that may happen only once, or that concern one later sign-in. Each record is kept
/// until it can't matter any more.
package protocol OneTimeRecords {
  /// Records a token, nonce or code as used. False if it was used before.
  func spend(_ token: SingleUseToken, in project: ProjectID) throws -> Bool

  /// Whether ``spend(_:in:)`` recorded the token and the record hasn't been removed.
  func isSpent(_ token: SingleUseToken, in project: ProjectID) throws -> Bool

  /// Records that an identity or a phone number left its account, so that pending tokens and temporary
  /// proofs from before `time` are rejected.
  func recordDetachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID, at time: Date,
    keptUntil: Date
  ) throws

  /// When the identity last left an account, if the record still exists.
  func detachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws -> Date?

  /// Stores a name, and replaces an earlier one of the same subject. At most `limit` names of the
  /// project are kept: those with the latest `keptUntil`.
  func save(_ name: ArrivedName, in project: ProjectID, keptUntil: Date, limit: Int) throws

  /// Nil if there is none, or it has expired.
  func arrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID, now: Date
  ) throws -> ArrivedName?

  func deleteArrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws

  /// Removes at most `limit` expired records; returns how many were removed.
  func sweepOneTimeRecords(now: Date, limit: Int) throws -> Int
}
