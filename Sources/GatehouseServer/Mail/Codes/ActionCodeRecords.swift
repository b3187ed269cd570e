package import Foundation
package import GatehouseModel

/// Codes that were requested and not used. Expired ones are kept for a day.
package protocol ActionCodeRecords {
  func insert(_ code: ActionCode, in project: ProjectID) throws

  func actionCode(digest: [UInt8], in project: ProjectID) throws -> ActionCode?

  /// The code whose session has this digest; see ``ActionCode/session``.
  func actionCode(session digest: [UInt8], in project: ProjectID) throws -> ActionCode?
  func setTries(_ tries: Int, ofActionCode session: [UInt8], in project: ProjectID) throws

  /// How many codes of the purpose expire after `now`, void ones included.
  func countActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int
  func countActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int

  /// Makes the codes of the purpose void and deletes their links. They are still counted until they
  /// expire.
  func voidActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws
  func voidActionCodes(of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID) throws

  /// Removes the account from its valid codes of the purpose. They stay until they expire, but no account can
  /// be changed with them.
  ///
  /// Deletes the account's void codes of the purpose, and codes for the same address that were released
  /// earlier. Otherwise an attacker could use up the limit of codes for an address (``ActionCode/maximumLive``),
  /// and then leave the address to its owner, who would get no code.
  func releaseActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws

  func deleteActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws
  /// - Parameter since: Codes that were created earlier are kept. Nil: all are deleted.
  func deleteActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, since: Date?, in project: ProjectID
  ) throws

  /// At most `limit`, oldest first.
  func actionCodes(limit: Int, in project: ProjectID) throws -> [ActionCode]

  /// Removes at most `limit` codes that expired before the time; returns how many were removed.
  func sweepActionCodes(expiredBefore: Date, limit: Int) throws -> Int
}
