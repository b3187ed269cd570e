package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// Reads, verifies and exports the event log, and removes old events.
package struct EventLog: Sendable {
  private let store: any Store
  private static let page = 1000

  package init(store: any Store) { self.store = store }

  /// A page of events, newest first.
  ///
  /// - Parameter number: Only events before the one with this number.
  package func page(
    _ filter: EventFilter, before number: Int64, size: Int, in project: ProjectID?
  ) async throws -> EventPage {
    try await store.read { transaction in
      let first = try filter.since.flatMap {
        // An hour, because the clocks of servers may differ.
        try transaction.lastEventCheckpoint(of: project, before: $0.addingTimeInterval(-3600))
      }?.end.number
      var page = EventPage(next: number)
      var examined = 0
      while let next = page.next, examined < EventPage.budget {
        let limit = max(size + 1, 100)
        let links = try transaction.latestEventLinks(
          of: filter.uid, before: next, limit: limit, in: project)
        for link in links {
          if page.links.count == size { return page }
          page.next = link.number
          if filter.includes(link.event) { page.links.append(link) }
        }
        examined += links.count
        if links.count < limit || (page.next ?? 0) <= first ?? 0 { page.next = nil }
      }
      return page
    }
  }

  /// Passes the links of a chain to `body`, oldest first. Reads each page in a transaction of its own:
  /// this is safe, because links are never changed after they were added.
  package func forEach(
    of project: ProjectID?, _ body: (EventLink) throws -> Void
  ) async throws {
    var last: Int64 = 0
    while true {
      let after = last
      let page = try await store.read {
        try $0.eventLinks(of: project, after: after, limit: Self.page)
      }
      for link in page { try body(link) }
      guard page.count == Self.page, let end = page.last?.number else { return }
      last = end
    }
  }

  /// Verifies the next events of a chain, and the checkpoints at them.
  ///
  /// - Parameters:
  ///   - start: The end of the events that are verified already; nil for the first call.
  ///   - keys: The key set of the ring `eventLog`.
  ///   - known: Checkpoints that were kept outside the database. Their signatures must be verified already.
  ///     If the chain was cut off and continued, it differs from them.
  package func verify(
    _ project: ProjectID?, after start: EventChainEnd? = nil, keys: KeySet,
    known: [EventCheckpoint] = []
  ) async throws -> EventVerification {
    try await store.read { transaction in
      let first = start?.number ?? 0
      let links = try transaction.eventLinks(of: project, after: first, limit: Self.page)
      let isLast = links.count < Self.page
      let range = first...(isLast ? .max : links.last?.number ?? .max)
      var check = EventChainCheck(
        checkpoints: known.filter { $0.end.number > first && range.contains($0.end.number) },
        after: start)
      let stored = try transaction.eventCheckpoints(
        of: project, after: first, upTo: range.upperBound)
      for checkpoint in stored { check.add(checkpoint, keys: keys) }
      for link in links { check.add(link) }
      if let project, let last = links.last?.number {
        try check.explainSources { try transaction.isErased($0, after: last, in: project) }
      }
      let report = check.finish(expecting: isLast ? try transaction.chainEnd(of: project) : nil)
      return EventVerification(report: report, next: isLast ? nil : links.last?.end)
    }
  }

  /// The next events of a chain, oldest first, and the checkpoints at them, for a file that can be verified
  /// elsewhere. The last part ends with a checkpoint, which is signed if there is none yet.
  ///
  /// - Parameter number: The last event of the part before; 0 for the first call.
  package func export(
    of project: ProjectID?, after number: Int64, signedBy checkpoints: EventCheckpoints, now: Date
  ) async throws -> EventExport {
    var part = try await part(of: project, after: number)
    guard part.next == nil else { return part }
    let fault = try await checkpoints.sign(project, now: now).fault
    part = try await self.part(of: project, after: number)
    // No checkpoint covers the events that were added since.
    if part.next == nil, fault == nil {
      let end = part.checkpoints.last?.end.number ?? number
      part.links.removeAll { $0.number > end }
    }
    part.fault = fault
    return part
  }

  private func part(of project: ProjectID?, after number: Int64) async throws -> EventExport {
    try await store.read { transaction in
      let links = try transaction.eventLinks(of: project, after: number, limit: Self.page)
      let next = links.count == Self.page ? links.last?.number : nil
      return EventExport(
        links: links,
        checkpoints: try transaction.eventCheckpoints(
          of: project, after: number, upTo: next ?? .max),
        next: next)
    }
  }

  /// Removes events that are older than `limit`: of each chain those up to the next checkpoint that was
  /// signed before `limit`. To remove all of them, call the function again until it removes none.
  ///
  /// A transaction never removes only a part of the events before a checkpoint, because the first event
  /// that is left can be verified only with a checkpoint at the event before it. So the log can be verified
  /// after each call, also if the server ends there.
  ///
  /// - Returns: How many were removed, of all chains together.
  package func sweep(olderThan limit: Date) async throws -> Int {
    var removed = 0
    for project in try await store.read({ try $0.chains() }) {
      removed += try await store.write { transaction in
        guard
          let checkpoint = try transaction.firstEventCheckpoint(of: project, before: limit)
        else { return 0 }
        return try transaction.sweepEvents(of: project, upTo: checkpoint.end.number)
      }
    }
    return removed
  }
}

/// Which events are listed. A property that is nil or empty excludes none.
package struct EventFilter: Sendable {
  package var uid: UID?
  package var kinds: Set<EventKind> = []
  /// ``EventActor/text``.
  package var actor: String?
  package var since: Date?
  /// Events at this time are excluded.
  package var until: Date?

  package init(uid: UID? = nil) { self.uid = uid }

  fileprivate func includes(_ event: Event) -> Bool {
    (uid.map { $0 == event.uid } ?? true)
      && (kinds.isEmpty || kinds.contains(event.kind))
      && (actor?.hasSameBytes(as: event.actor.text) ?? true)
      && (since.map { event.at >= $0 } ?? true) && (until.map { event.at < $0 } ?? true)
  }
}

/// Events that a filter includes. May be few or none although there are more.
package struct EventPage: Sendable {
  package fileprivate(set) var links: [EventLink] = []
  /// The next page has the events before this number; nil: there is none.
  package fileprivate(set) var next: Int64?

  /// How many events are examined for a page.
  fileprivate static let budget = 5000
}

/// The verification of a part of a chain.
package struct EventVerification: Sendable {
  package let report: EventChainReport
  /// Where the next part begins; nil at the end of the chain.
  package let next: EventChainEnd?
}

/// A part of an exported chain.
package struct EventExport: Sendable {
  package fileprivate(set) var links: [EventLink]
  package let checkpoints: [EventCheckpoint]
  /// The last event, if there is another part.
  package let next: Int64?
  /// Why the end has no checkpoint.
  package fileprivate(set) var fault: EventChainReport.Fault?
}
