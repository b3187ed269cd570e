package import GatehouseModel

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

  /// Links the events that wait.
  ///
  /// - Returns: How many events waited.
  @discardableResult
  package func run() async throws -> Int {
    var count = 0
    while !Task.isCancelled {
      guard try await store.read({ try !$0.waitingEvents(limit: 1).isEmpty }) else { break }
      let linked = try await store.write { try $0.linkWaitingEvents(limit: Self.batch) }
      count += linked
      if linked < Self.batch { break }
    }
    return count
  }
}

extension StoreTransaction {
  private static var positionName: String { "events/position" }

  fileprivate func linkWaitingEvents(limit: Int) throws -> Int {
    let waiting = try waitingEvents(limit: limit)
    guard !waiting.isEmpty else { return 0 }
    var position = try lastEventPosition()
    // The first write: another process that links at the same time waits here or repeats its
    // transaction.
    try setServerValue(
      Self.positionName, to: Array(String(position + Int64(waiting.count)).utf8))
    var ends: [ProjectID?: EventChainEnd] = [:]
    var hooks: [ProjectID: [HookSelection]] = [:]
    for (_, event) in waiting {
      if let project = event.project {
        hooks[project] = try hooks[project] ?? hooksIfExists(project)
        // The project was deleted since, and its log with it.
        guard hooks[project] != nil else { continue }
      }
      if event.kind == .deleted, let project = event.project, let uid = event.uid {
        // The account's events that waited before this one are linked by now.
        try eraseEventSources(of: uid, in: project)
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
    if let last = waiting.last?.key { try removeWaitingEvents(upTo: last) }
    return waiting.count
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
