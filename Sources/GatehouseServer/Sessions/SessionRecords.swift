package import Foundation
package import GatehouseModel

package protocol SessionRecords {
  func session(_ id: SessionID, in project: ProjectID) throws -> Session?

  /// The session, and its account if there is one with its uid.
  func sessionWithAccount(
    _ id: SessionID, in project: ProjectID
  ) throws -> (session: Session, account: Account?)?

  func insert(_ session: Session, in project: ProjectID) throws

  /// Stores what a rotation, a sign-in or the end changes in the session. Its account, its creation
  /// and its device don't change. The device is erased when the session ends.
  func update(_ session: Session, in project: ProjectID) throws

  /// Ends the account's live sessions that began at or before `limit` (nil: all of them). Erases their
  /// claims and devices, so that a tombstone reveals nothing about the user.
  func endSessions(
    of uid: UID, in project: ProjectID, startedAtOrBefore limit: Date?, ending: Session.Ending
  ) throws

  /// Ends in the same way the account's live sessions that began with the provider, at or before
  /// `limit`.
  func endSessions(
    of uid: UID, startedAtOrBefore limit: Date, by provider: ProviderID, in project: ProjectID,
    ending: Session.Ending
  ) throws

  /// At most `limit` live sessions of the account, the newest first.
  func liveSessions(of uid: UID, limit: Int, in project: ProjectID) throws -> [Session]

  /// Whether a session of the account began with the provider after `limit`: a live one, or an ended one
  /// that is still stored. Tombstones of a deleted account don't count.
  func hasSession(
    of uid: UID, startedAfter limit: Date, by provider: ProviderID, in project: ProjectID
  ) throws -> Bool

  /// How many live sessions the account has, and how many of them are on the device with this digest.
  /// Reads only an index, because every sign-in calls it.
  func countLiveSessions(
    of uid: UID, onDevice device: [UInt8], in project: ProjectID
  ) throws -> (all: Int, onDevice: Int)

  /// How many live sessions of the account began after `limit`.
  func countLiveSessions(
    of uid: UID, startedAfter limit: Date, in project: ProjectID
  ) throws -> Int

  /// Sets or removes the name of the device of one of the account's live sessions.
  ///
  /// - Returns: False if the account has no such live session.
  func nameDevice(
    of id: SessionID, _ uid: UID, _ name: String?, in project: ProjectID
  ) throws -> Bool

  /// Removes the account's least recently used live sessions beyond `count`.
  func trimSessions(of uid: UID, in project: ProjectID, keeping count: Int) throws

  /// How many live sessions, in all projects, were last used before the time. The cost grows with
  /// the result.
  func countLiveSessions(lastUsedBefore limit: Date) throws -> Int

  /// Removes at most `limit` sessions: those of deleted accounts that ended before `deletedBefore`,
  /// others that ended before `endedBefore`, and live ones that were last used before `idleSince`.
  /// Returns how many were removed.
  func sweepSessions(
    deletedBefore: Date, endedBefore: Date, idleSince: Date, limit: Int
  ) throws -> Int
}
