package import Foundation
package import GatehouseModel

package protocol SessionRecords {
  func session(_ id: SessionID, in project: ProjectID) throws -> Session?

  func insert(_ session: Session, in project: ProjectID) throws

  /// Replaces the row of the session's id.
  func update(_ session: Session, in project: ProjectID) throws

  /// Ends the account's live sessions that began at or before `limit` (nil: all of them).
  func endSessions(
    of uid: UID, in project: ProjectID, startedAtOrBefore limit: Date?, ending: Session.Ending
  ) throws

  /// Ends the account's least recently used live sessions beyond `count`.
  func trimSessions(
    of uid: UID, in project: ProjectID, keeping count: Int, ending: Session.Ending
  ) throws

  /// How many live sessions were last used before the time, in all projects. Costs what it counts.
  func countLiveSessions(lastUsedBefore limit: Date) throws -> Int

  /// Removes at most `limit` rows that ended before `endedBefore` or were last used before
  /// `idleSince`; answers how many went.
  func sweepSessions(endedBefore: Date, idleSince: Date, limit: Int) throws -> Int
}
