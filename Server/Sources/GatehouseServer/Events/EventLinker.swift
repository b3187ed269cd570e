package import GatehouseProtocol

package import struct Foundation.Date

/// Gives waiting events their places: in the order of all events, and in their project's hash chain.
///
/// Any process may link events at any time. If two do so at once, one of them waits or repeats its
/// transaction. One of the running servers links events several times a second.
package struct EventLinker: Sendable {
  private let store: any Store
  /// How many events are linked in one transaction: few enough that sign-ins hardly wait.
  private static let batch = 200

  package init(store: any Store) { self.store = store }

  /// The result of one round.
  package struct Outcome: Sendable {
    /// How many events were linked, and events of deleted projects, which were removed.
    package var count = 0
    /// The key of the last event that this version can't read. Such events wait for a version that can. The
    /// others are linked before them.
    package var lastUnreadable: Int64?
  }

  /// Links the events that wait.
  ///
  /// - Returns: How many events waited, without those that this version can't read.
  @discardableResult
  package func run() async throws -> Int { try await link().count }

  /// Links the events that wait, except those that this version can't read.
  package func link() async throws -> Outcome {
    var outcome = Outcome()
    while !Task.isCancelled {
      let last = outcome.lastUnreadable
      var waiting = try await store.read { try $0.waitingEvents(after: last, limit: 1) }
      if let first = waiting.first, first.event == nil {
        // Events that can't be read may wait for long. A round that finds only such events writes nothing.
        waiting = try await store.read { try $0.waitingEvents(after: last, limit: Self.batch) }
      }
      guard let end = waiting.last?.key else { break }
      if waiting.allSatisfy({ $0.event == nil }) {
        outcome.lastUnreadable = end
        continue
      }
      let batch = try await store.write {
        try $0.linkWaitingEvents(after: last, limit: Self.batch)
      }
      outcome.count += batch.linked
      outcome.lastUnreadable = batch.lastUnreadable ?? last
      if batch.waited < Self.batch { break }
    }
    return outcome
  }
}

extension Transaction {
  private static var positionName: String { "events/position" }

  fileprivate func linkWaitingEvents(
    after key: Int64?, limit: Int
  ) throws -> (waited: Int, linked: Int, lastUnreadable: Int64?) {
    let waiting = try waitingEvents(after: key, limit: limit)
    let count = waiting.count { $0.event != nil }
    let lastUnreadable = waiting.last { $0.event == nil }?.key
    guard count > 0 else { return (waiting.count, 0, lastUnreadable) }
    var position = try lastEventPosition()
    // The first write: another process that links at the same time waits here or repeats its
    // transaction.
    try setServerValue(Self.positionName, to: Array(String(position + Int64(count)).utf8))
    var ends: [ProjectID?: EventChainEnd] = [:]
    var hooks: [ProjectID: [HookSelection]] = [:]
    for item in waiting {
      guard let event = item.event else { continue }
      if let project = event.project {
        hooks[project] = try hooks[project] ?? hooksIfExists(project)
        // The project was deleted since, and its log with it.
        guard hooks[project] != nil else { continue }
      }
      if event.kind == .deleted, let project = event.project, let uid = event.uid {
        // The account's events that waited before this one are linked by now, except those that can't be
        // read.
        try eraseEventSources(of: uid, in: project)
        if key != nil || lastUnreadable != nil {
          try eraseSourcesOfWaitingEvents(before: item.key, of: uid, in: project)
        }
      }
      let end = try ends[event.project] ?? chainEnd(of: event.project)
      position += 1
      let link = EventLink(event, position: position, after: end)
      ends[event.project] = link.end
      try append(link)
      guard let project = event.project else { continue }
      for hook in hooks[project, default: []] where hook.selects(event.kind) {
        try enqueue(.delivery(of: event, to: hook, in: project, now: event.at))
      }
    }
    for (project, end) in ends { try setChainEnd(end, of: project) }
    try removeLinked(waiting, after: key)
    return (waiting.count, count, lastUnreadable)
  }

  /// Removes the events, except those that can't be read.
  private func removeLinked(_ waiting: [WaitingEvent], after key: Int64?) throws {
    var first = key ?? .min
    for item in waiting where item.event == nil {
      try removeWaitingEvents(after: first, upTo: item.key - 1)
      first = item.key
    }
    if let last = waiting.last?.key, last > first {
      try removeWaitingEvents(after: first, upTo: last)
    }
  }

  /// What the project's hooks select; nil if there is no such project.
  private func hooksIfExists(_ project: ProjectID) throws -> [HookSelection]? {
    try self.project(project) == nil ? nil : hookSelections(of: project)
  }

  /// The position of the last link of all chains; 0 before the first link. It doesn't decrease when links
  /// are removed.
  package func lastEventPosition() throws -> Int64 {
    try serverValue(Self.positionName).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
  }
}

extension OutboxEntry {
  package static func delivery(
    of event: Event, to hook: HookSelection, in project: ProjectID, now: Date
  ) -> OutboxEntry {
    OutboxEntry(
      project: project, task: .deliverEvent(DeliveryTask(hook: hook.id, event: event)),
      orderKey: hook.orderKey(of: event.uid), createdAt: now)
  }
}
