package import Foundation
package import GatehouseProtocol

/// A delivery that waits or was given up. Successful deliveries aren't kept.
package struct Delivery: Sendable {
  package let entry: OutboxEntry
  package let hook: HookID
  package let event: Event

  /// The maximum number of deliveries that are listed.
  package static let maximumListed = 10_000
}

/// What is delivered again.
package enum Redelivery: Hashable, Sendable {
  /// Deliveries that wait or were given up. They are attempted now.
  case undelivered
  /// An event of the log, once more. It keeps its id, so a receiver can recognise an event that it has
  /// got before.
  case event(EventID)
  /// The events of the log since this time, once more: those of the kinds that the hook selects.
  case since(Date)
}

extension HookDirectory {
  /// The deliveries of the project's hooks, oldest first; with `onlyFailed` in the order in which they
  /// were given up. Reads at most ``Delivery/maximumListed`` of the project.
  ///
  /// - Parameter hook: Nil: the deliveries of all hooks.
  package func deliveries(
    in project: ProjectID, of hook: HookID? = nil, onlyFailed: Bool = false
  ) async throws -> [Delivery] {
    var filter = OutboxFilter(project: project, onlyFailed: onlyFailed)
    filter.kind = .deliverEvent
    return try await store.read { [filter] in
      try $0.outboxEntries(filter, limit: Delivery.maximumListed)
    }.compactMap { entry in
      guard case .deliverEvent(let task) = entry.task, hook == nil || task.hook == hook else {
        return nil
      }
      return Delivery(entry: entry, hook: task.hook, event: task.event)
    }
  }

  /// Queues deliveries, which a running server makes.
  ///
  /// - Parameter limit: At most this many are queued, the oldest first.
  /// - Returns: How many were queued.
  /// - Throws: ``HookError/noSuchEvent``.
  package func redeliver(
    _ redelivery: Redelivery, to hook: Hook, in project: ProjectID, limit: Int = .max, now: Date
  ) async throws -> Int {
    switch redelivery {
    case .undelivered:
      var count = 0
      for delivery in try await deliveries(in: project, of: hook.id).prefix(limit)
      where try await Outbox(store: store).retry(delivery.entry.id, now: now) {
        count += 1
      }
      return count
    case .event(let id):
      try await EventLinker(store: store).run()
      return try await store.write { transaction in
        guard let link = try transaction.eventLink(id, in: project) else {
          throw HookError.noSuchEvent
        }
        try transaction.enqueue(
          .delivery(of: link.event, to: hook.selection, in: project, now: now))
        return 1
      }
    case .since(let time):
      try await EventLinker(store: store).run()
      return try await redeliver(since: time, to: hook, in: project, limit: limit, now: now)
    }
  }

  /// Reads the log in pages, so that a long log takes little memory.
  private func redeliver(
    since time: Date, to hook: Hook, in project: ProjectID, limit: Int, now: Date
  ) async throws -> Int {
    let pageSize = 200
    var count = 0
    var position: Int64 = 0
    while count < limit {
      let (after, rest) = (position, limit - count)
      let (queued, last) = try await store.write { transaction in
        let page = try transaction.eventLinks(of: project, after: after, limit: pageSize)
        let events = page.map(\.event).filter { $0.at >= time && hook.selection.selects($0.kind) }
        for event in events.prefix(rest) {
          try transaction.enqueue(.delivery(of: event, to: hook.selection, in: project, now: now))
        }
        return (min(events.count, rest), page.count == pageSize ? page.last?.number : nil)
      }
      count += queued
      guard let last else { break }
      position = last
    }
    return count
  }
}
