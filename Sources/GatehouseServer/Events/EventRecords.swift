package import GatehouseModel

package import struct Foundation.Date

/// The event log: events that wait to be linked, linked events, and checkpoints.
package protocol EventRecords {
  /// Adds an event that waits to be linked.
  func append(_ event: Event) throws

  /// At most `limit` events that wait, in the order in which they were added.
  ///
  /// - Parameter key: Only events with a greater key are returned. Nil: all.
  func waitingEvents(after key: Int64?, limit: Int) throws -> [WaitingEvent]

  /// At most `limit` of the account's events that wait, newest first.
  func latestWaitingEvents(
    of uid: UID, limit: Int, in project: ProjectID
  ) throws -> [WaitingEvent]

  /// Removes the waiting events whose keys are greater than `first` and at most `last`. Events that other
  /// transactions add later stay.
  func removeWaitingEvents(after first: Int64, upTo last: Int64) throws

  /// Erases the sources of the account's waiting events whose keys are less than `key`.
  func eraseSourcesOfWaitingEvents(before key: Int64, of uid: UID, in project: ProjectID) throws

  /// The last link of the project's chain, even if it was removed after its retention time.
  func chainEnd(of project: ProjectID?) throws -> EventChainEnd

  /// The projects that have a chain. Nil stands for the server's own chain.
  func chains() throws -> [ProjectID?]

  func append(_ link: EventLink) throws

  func setChainEnd(_ end: EventChainEnd, of project: ProjectID?) throws

  /// Of the first `limit` links of all projects after `position`, those that this version can read, in the
  /// order of their positions.
  func eventLinks(after position: Int64, limit: Int) throws -> [EventLink]

  /// At most `limit` links of the project's chain, after `number`.
  func eventLinks(of project: ProjectID?, after number: Int64, limit: Int) throws -> [EventLink]

  /// At most `limit` links before `number`, newest first. The links of one account are found without
  /// reading those of others.
  func latestEventLinks(
    _ filter: EventFilter, before number: Int64, limit: Int, in project: ProjectID?
  ) throws -> [EventLink]

  func eventLink(_ id: EventID, in project: ProjectID?) throws -> EventLink?

  /// Erases the sources of the account's linked events. Events that wait keep theirs.
  func eraseEventSources(of uid: UID, in project: ProjectID) throws

  /// Removes the project's linked events and checkpoints. The server's own chain is never removed.
  func deleteEvents(of project: ProjectID) throws

  func insert(_ checkpoint: EventCheckpoint) throws

  /// The project's checkpoints, oldest first.
  func eventCheckpoints(of project: ProjectID?) throws -> [EventCheckpoint]

  /// The project's last checkpoint.
  func lastEventCheckpoint(of project: ProjectID?) throws -> EventCheckpoint?

  /// The first of the project's checkpoints that was signed before `time`. Skips the checkpoints whose
  /// links were all removed.
  func firstEventCheckpoint(of project: ProjectID?, before time: Date) throws -> EventCheckpoint?

  /// Removes the project's links up to `number`, and the checkpoints before `number`. Returns how many
  /// links were removed.
  func sweepEvents(of project: ProjectID?, upTo number: Int64) throws -> Int
}

/// An event that waits to be linked.
package struct WaitingEvent: Sendable {
  package let key: Int64
  /// Nil if this version can't read the event: a newer version recorded it, or the database is damaged.
  package let event: Event?

  package init(key: Int64, event: Event?) {
    self.key = key
    self.event = event
  }
}

/// Which events are listed. A property that is nil excludes none.
package struct EventFilter: Sendable {
  package var uid: UID?
  package var kind: EventKind?

  package init(uid: UID? = nil, kind: EventKind? = nil) {
    self.uid = uid
    self.kind = kind
  }
}
