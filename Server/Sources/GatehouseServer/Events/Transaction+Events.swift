package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// Adds an event that waits to be linked.
  package func append(_ event: Event) throws {
    try connection.run(EventSQL.add, Self.values(event))
    events.append(event)
  }

  /// At most `limit` events that wait, in the order in which they were added.
  ///
  /// - Parameter key: Only events with a greater key are returned. Nil: all.
  package func waitingEvents(after key: Int64?, limit: Int) throws -> [WaitingEvent] {
    try connection.all(
      EventSQL.waiting, .integer(key ?? .min), .integer(Int64(max(limit, 0))), read: Self.waiting)
  }

  // Reads all events that wait. Normally these are the events of a tenth of a second, so they have no
  // index by account.
  /// At most `limit` of the account's events that wait, newest first.
  package func latestWaitingEvents(
    of uid: UID, limit: Int, in project: ProjectID
  ) throws -> [WaitingEvent] {
    try connection.all(
      EventSQL.waitingOfAccount, Self.chain(project), .text(uid.text),
      .integer(Int64(max(limit, 0))), read: Self.waiting)
  }

  private static func waiting(_ row: SQLRow) throws -> WaitingEvent {
    WaitingEvent(
      key: row.integer(EventColumn.allCases.count), event: try ifReadable { try Event(row) })
  }

  /// Nil for an event that can't be read, so that it doesn't stop work on the others.
  private static func ifReadable<Value>(_ read: () throws -> Value) throws -> Value? {
    do {
      return try read()
    } catch StoreError.damaged {
      return nil
    }
  }

  /// Removes the waiting events whose keys are greater than `first` and at most `last`. Events that other
  /// transactions add later stay.
  package func removeWaitingEvents(after first: Int64, upTo last: Int64) throws {
    try connection.run(EventSQL.removeWaiting, .integer(first), .integer(last))
  }

  /// Erases the sources of the account's waiting events whose keys are less than `key`.
  package func eraseSourcesOfWaitingEvents(
    before key: Int64, of uid: UID, in project: ProjectID
  ) throws {
    try connection.run(
      EventSQL.eraseWaitingSources, .integer(key), Self.chain(project), .text(uid.text))
  }

  /// The projects that have a chain. Nil stands for the server's own chain.
  package func chains() throws -> [ProjectID?] {
    try connection.all(EventChainSQL.all) { row in
      let text = try row.text(0)
      return text.isEmpty ? nil : try row.value(0, "project's id", ProjectID.init)
    }
  }

  /// The last link of the project's chain, even if it was removed after its retention time.
  package func chainEnd(of project: ProjectID?) throws -> EventChainEnd {
    try connection.first(EventChainSQL.end, Self.chain(project)) { row in
      EventChainEnd(number: row.integer(0), digest: row.blob(1))
    } ?? .empty
  }

  package func append(_ link: EventLink) throws {
    let added = EventLinkColumn.allCases.map { column -> SQLValue in
      switch column {
      case .position: .integer(link.position)
      case .number: .integer(link.number)
      case .digest: .blob(link.digest)
      case .salt: link.isSourceKept ? .optional(link.seal?.salt) : .null
      case .sourceDigest: .optional(link.seal?.digest)
      }
    }
    try connection.run(EventSQL.link, Self.values(link.event) + added)
  }

  package func setChainEnd(_ end: EventChainEnd, of project: ProjectID?) throws {
    try connection.run(
      EventChainSQL.setEnd, Self.chain(project), .integer(end.number), .blob(end.digest))
  }

  /// Of the first `limit` links of all projects after `position`, those that this version can read, in the
  /// order of their positions.
  package func eventLinks(after position: Int64, limit: Int) throws -> [EventLink] {
    try connection.all(
      EventSQL.byPosition, .integer(position), .integer(Int64(max(limit, 0)))
    ) { row in try Self.ifReadable { try EventLink(row) } }.compactMap(\.self)
  }

  /// At most `limit` links of the project's chain, after `number`.
  package func eventLinks(
    of project: ProjectID?, after number: Int64, limit: Int
  ) throws -> [EventLink] {
    try connection.all(
      EventSQL.byNumber, Self.chain(project), .integer(number), .integer(Int64(max(limit, 0)))
    ) { try EventLink($0) }
  }

  /// At most `limit` links before `number`, newest first.
  ///
  /// - Parameter uid: Only this account's links. They are found without reading those of others.
  package func latestEventLinks(
    of uid: UID? = nil, before number: Int64 = .max, limit: Int, in project: ProjectID?
  ) throws -> [EventLink] {
    let place = [SQLValue.integer(number), .integer(Int64(max(limit, 0)))]
    guard let uid else {
      return try connection.all(EventSQL.latest, [Self.chain(project)] + place) {
        try EventLink($0)
      }
    }
    return try connection.all(
      EventSQL.latestOfAccount, [Self.chain(project), .text(uid.text)] + place
    ) { try EventLink($0) }
  }

  package func eventLink(_ id: EventID, in project: ProjectID?) throws -> EventLink? {
    let link = try connection.first(EventSQL.byID, .text(id.text)) { try EventLink($0) }
    return link?.event.project == project ? link : nil
  }

  /// Whether the account was erased after the event with this number.
  func isErased(_ uid: UID, after number: Int64, in project: ProjectID) throws -> Bool {
    let erasure = try connection.first(
      EventSQL.ofKind, Self.chain(project), .text(uid.text), .integer(number),
      .text(EventKind.deleted.rawValue)
    ) { $0.integer(0) }
    // The sources are erased at once, before the event of the erasure is linked.
    return try erasure != nil
      || latestWaitingEvents(of: uid, limit: 100, in: project).contains {
        $0.event?.kind == .deleted
      }
  }

  /// Erases the sources of the account's linked events. Events that wait keep theirs.
  package func eraseEventSources(of uid: UID, in project: ProjectID) throws {
    try connection.run(EventSQL.eraseSources, Self.chain(project), .text(uid.text))
  }

  /// Removes the project's linked events and checkpoints. The server's own chain is never removed.
  package func deleteEvents(of project: ProjectID) throws {
    try connection.run(EventSQL.delete, Self.chain(project))
    for statement in [EventChainSQL.delete, .deleteCheckpoints] {
      try connection.run(statement, Self.chain(project))
    }
  }

  package func insert(_ checkpoint: EventCheckpoint) throws {
    try connection.run(
      EventChainSQL.checkpoint, Self.chain(checkpoint.project), .integer(checkpoint.end.number),
      .blob(checkpoint.end.digest), .time(checkpoint.at), .text(checkpoint.token))
  }

  /// The project's checkpoints at the events after `first` and up to `last`, oldest first.
  package func eventCheckpoints(
    of project: ProjectID?, after first: Int64 = 0, upTo last: Int64 = .max
  ) throws -> [EventCheckpoint] {
    try connection.all(
      EventChainSQL.checkpoints, Self.chain(project), .integer(first), .integer(last)
    ) { try EventCheckpoint($0, of: project) }
  }

  /// The project's last checkpoint.
  package func lastEventCheckpoint(of project: ProjectID?) throws -> EventCheckpoint? {
    try connection.first(EventChainSQL.lastCheckpoint, Self.chain(project)) {
      try EventCheckpoint($0, of: project)
    }
  }

  /// The last of the project's checkpoints that was signed before `time`.
  func lastEventCheckpoint(of project: ProjectID?, before time: Date) throws -> EventCheckpoint? {
    try connection.first(EventChainSQL.lastCheckpointBefore, Self.chain(project), .time(time)) {
      try EventCheckpoint($0, of: project)
    }
  }

  /// The first of the project's checkpoints that was signed before `time`. Skips the checkpoints whose
  /// links were all removed.
  package func firstEventCheckpoint(
    of project: ProjectID?, before time: Date
  ) throws -> EventCheckpoint? {
    try connection.first(EventChainSQL.firstCheckpoint, Self.chain(project), .time(time)) {
      try EventCheckpoint($0, of: project)
    }
  }

  /// Removes the project's links up to `number`, and the checkpoints before `number`. Returns how many
  /// links were removed.
  package func sweepEvents(of project: ProjectID?, upTo number: Int64) throws -> Int {
    try connection.run(EventChainSQL.sweepCheckpoints, Self.chain(project), .integer(number))
    return try connection.change(EventSQL.sweep, Self.chain(project), .integer(number))
  }

  /// The name of the server's own chain is empty.
  private static func chain(_ project: ProjectID?) -> SQLValue { .text(project?.text ?? "") }

  private static func values(_ event: Event) -> [SQLValue] {
    EventColumn.allCases.map { column in
      switch column {
      case .id: .text(event.id.text)
      case .project: chain(event.project)
      case .kind: .text(event.kind.rawValue)
      case .uid: .optional(event.uid?.text)
      case .at: .time(event.at)
      case .actor: .text(event.actor.text)
      case .details: .text(event.detailsText)
      case .source: event.source.isEmpty ? .null : .text(event.source.stored)
      }
    }
  }
}

extension EventCheckpoint {
  fileprivate init(_ row: SQLRow, of project: ProjectID?) throws {
    self.init(
      project: project, end: EventChainEnd(number: row.integer(0), digest: row.blob(1)),
      at: row.time(2), token: try row.text(3))
  }
}

extension Event {
  fileprivate init(_ row: SQLRow) throws {
    typealias Column = EventColumn
    let project = try row.text(Column.project)
    self.init(
      id: try row.value(Column.id, "event's id", EventID.init),
      project: project.isEmpty
        ? nil : try row.value(Column.project, "event's project", ProjectID.init),
      kind: try row.value(Column.kind, "event's kind", EventKind.init(rawValue:)),
      uid: row.isNull(Column.uid) ? nil : try row.value(Column.uid, "event's account", UID.init),
      at: row.time(Column.at), actor: try row.value(Column.actor, "event's actor", EventActor.init),
      details: try row.value(Column.details, "event's details", Event.details),
      source: row.isNull(Column.source)
        ? EventSource() : try row.value(Column.source, "event's source", EventSource.init(stored:)))
  }
}

extension EventLink {
  fileprivate init(_ row: SQLRow) throws {
    typealias Column = EventLinkColumn
    let seal = row.optionalBlob(Column.sourceDigest).map {
      EventSeal(salt: row.optionalBlob(Column.salt) ?? [], digest: $0)
    }
    self.init(
      event: try Event(row), position: row.integer(Column.position),
      number: row.integer(Column.number), seal: seal,
      isSourceKept: seal == nil || !row.isNull(EventColumn.source),
      digest: row.blob(Column.digest))
  }
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
