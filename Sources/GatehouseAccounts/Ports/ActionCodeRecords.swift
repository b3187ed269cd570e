package import Foundation
package import GatehouseModel

/// Codes that were sent and not used.
package protocol ActionCodeRecords {
  func insert(_ code: ActionCode, in project: ProjectID) throws

  func actionCode(digest: [UInt8], in project: ProjectID) throws -> ActionCode?

  /// The code with the session; see ``ActionCode/session``.
  func actionCode(session digest: [UInt8], in project: ProjectID) throws -> ActionCode?
  func setTries(_ tries: Int, ofActionCode session: [UInt8], in project: ProjectID) throws

  /// How many codes of the purpose expire after `now`.
  func countActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int
  func countActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int

  /// Makes the codes of the purpose void. They still count until they expire, and their links are
  /// deleted.
  func voidActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws
  func voidActionCodes(of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID) throws

  func deleteActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws
  /// - Parameter since: Keeps codes that were created earlier; nil: keeps none.
  func deleteActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, since: Date?, in project: ProjectID
  ) throws

  /// At most `limit`, oldest first.
  func actionCodes(limit: Int, in project: ProjectID) throws -> [ActionCode]

  /// Removes at most `limit` codes that expired before the time; returns how many were removed.
  func sweepActionCodes(expiredBefore: Date, limit: Int) throws -> Int
}
