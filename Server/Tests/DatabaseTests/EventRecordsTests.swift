import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct EventRecordsTests {
  private static let first = ProjectID("first-project")
  private static let second = ProjectID("second-project")
  private static let source = EventSource(address: "192.0.2.1", userAgent: "Example", request: "r")

  private func event(
    _ uid: String?, _ kind: EventKind = .linked, at time: Date = Sample.now,
    in project: ProjectID? = Self.first
  ) throws -> Event {
    Event(
      project: project, kind: kind, uid: try uid.map { try Sample.uid($0) }, at: time,
      actor: .administrator("a b"), details: ["provider": "google.com", "name": "\"\u{1}é"],
      source: uid == nil ? EventSource() : Self.source)
  }

  private func append(_ events: some Sequence<Event> & Sendable, to store: any Store) async throws {
    try await store.write { transaction in
      for event in events { try transaction.append(event) }
    }
  }

  private func links(
    of project: ProjectID? = Self.first, _ store: any Store
  ) async throws -> [EventLink] {
    try await store.read { try $0.eventLinks(of: project, after: 0, limit: 1000) }
      .filter { $0.event.kind != .settingChanged }
  }

  @Test(arguments: StoreFactory.all)
  func `events are linked once, in their order, and read as they were recorded`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let events = [try event("a"), try event("b", in: Self.second), try event(nil, in: nil)]
      try await append(events, to: store)
      let linker = EventLinker(store: store)
      #expect(try await linker.run() >= 3)
      #expect(try await linker.run() == 0)
      try await append([try event("c")], to: store)
      #expect(try await linker.run() == 1)
      let all = try await store.read { try $0.eventLinks(after: 0, limit: 1000) }
      let own = all.filter { $0.event.actor == .administrator("a b") }
      #expect(own.prefix(3).map(\.event) == events)
      #expect(all.map(\.position) == Array(1...Int64(all.count)))
      let last = try await store.read { try $0.lastEventPosition() }
      #expect(last == Int64(all.count))
      let behind = try await store.read { try $0.eventLinks(after: last - 1, limit: 10) }
      #expect(behind.map(\.event.uid) == [try Sample.uid("c")])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an actor's name may be empty, and does not keep later events from being linked`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let actors: [EventActor] = [.command(""), .command(" a "), .administrator("\u{301}b"), .user]
      let uid = try Sample.uid("a")
      try await append(
        actors.map {
          Event(project: Self.first, kind: .linked, uid: uid, at: Sample.now, actor: $0)
        }, to: store)
      try await EventLinker(store: store).run()
      #expect(try await links(store).map(\.event.actor) == actors)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `each project has a chain of its own, without gaps`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      for round in 0..<5 {
        try await append(
          [try event("a\(round)"), try event("b\(round)", in: Self.second)], to: store)
        try await EventLinker(store: store).run()
      }
      for project in [Self.first, Self.second] {
        let links = try await store.read { try $0.eventLinks(of: project, after: 0, limit: 100) }
        #expect(links.map(\.number) == Array(1...Int64(links.count)))
        let end = try await store.read { try $0.chainEnd(of: project) }
        #expect(links.last?.end == end)
        var check = EventChainCheck()
        for link in links { check.add(link) }
        #expect(check.finish(expecting: end).faults.isEmpty)
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `events that two processes link at once are linked once`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      try await append(try (0..<300).map { try event("a\($0)") }, to: store)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await EventLinker(store: store).run() } }
        return try await group.reduce(0, +)
      }
      let links = try await links(store)
      #expect(links.map(\.event.uid?.text) == (0..<300).map { "a\($0)" })
      #expect(counts >= 300)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `events that wait are found by account, newest first`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let own = [try event("a"), try event("a", .unlinked)]
      try await append(
        own.prefix(1) + [try event("b"), try event("a", in: Self.second)], to: store)
      try await append(own.suffix(1), to: store)
      let (uid, project) = (try Sample.uid("a"), try #require(Self.first))
      for (limit, expected) in [(10, Array(own.reversed())), (1, [own[1]]), (0, [])] {
        let waiting = try await store.read {
          try $0.latestWaitingEvents(of: uid, limit: limit, in: project)
        }
        #expect(waiting.map(\.event) == expected)
      }
      try await EventLinker(store: store).run()
      #expect(
        try await store.read { try $0.latestWaitingEvents(of: uid, limit: 10, in: project) }
          .isEmpty)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `events are found by account and filter, newest first`(_ factory: StoreFactory) async throws
  {
    try await withStore(factory) { store in
      try await append(
        [try event("a"), try event("b"), try event("a", .unlinked), try event("a")], to: store)
      try await EventLinker(store: store).run()
      let uid = try Sample.uid("a")
      let ofA = try await store.read {
        try $0.latestEventLinks(of: uid, limit: 10, in: Self.first)
      }
      #expect(ofA.map(\.event.kind) == [.linked, .unlinked, .linked])
      for limit in [0, 2] {
        let latest = try await store.read {
          try $0.latestEventLinks(of: uid, limit: limit, in: Self.first)
        }
        #expect(latest.map(\.event.id) == ofA.prefix(limit).map(\.event.id))
      }
      let elsewhere = try await store.read {
        try $0.latestEventLinks(of: uid, limit: 10, in: Self.second)
      }
      #expect(elsewhere.isEmpty)
      var filter = EventFilter(uid: uid)
      filter.kinds = [.unlinked]
      let unlinked = try await EventLog(store: store).page(
        filter, before: .max, size: 10, in: Self.first)
      #expect(unlinked.links.count == 1)
      #expect(unlinked.next == nil)
      let id = try #require(unlinked.links.first?.event.id)
      #expect(try await store.read { try $0.eventLink(id, in: Self.first) } != nil)
      #expect(try await store.read { try $0.eventLink(id, in: Self.second) } == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a page examines a bounded number of events, and the pages together are all`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let rare = try event("rare", .unlinked)
      try await append([rare] + (try (0..<6000).map { try event("a\($0)") }), to: store)
      try await EventLinker(store: store).run()
      let log = EventLog(store: store)
      var filter = EventFilter()
      filter.kinds = [.unlinked]
      let first = try await log.page(filter, before: .max, size: 10, in: Self.first)
      #expect(first.links.isEmpty)
      let next = try #require(first.next)
      let second = try await log.page(filter, before: next, size: 10, in: Self.first)
      #expect(second.links.map(\.event) == [rare])
      #expect(second.next == nil)

      var numbers: [Int64] = []
      var place: Int64? = .max
      while let before = place {
        let page = try await log.page(EventFilter(), before: before, size: 999, in: Self.first)
        numbers += page.links.map(\.number)
        place = page.next
      }
      #expect(numbers == Array((1...Int64(numbers.count)).reversed()))
      #expect(numbers.count > 6000)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a time bounds the search by the checkpoints before it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let later = Sample.now + 86_400
      try await append(try (0..<6000).map { try event("a\($0)") }, to: store)
      try await EventLinker(store: store).run()
      _ = try await addCheckpoint(at: Sample.now, to: store)
      try await append([try event("b", at: later)], to: store)
      try await EventLinker(store: store).run()
      var filter = EventFilter()
      filter.since = later
      let page = try await EventLog(store: store).page(
        filter, before: .max, size: 10, in: Self.first)
      #expect(page.links.map(\.event.uid) == [try Sample.uid("b")])
      #expect(page.next == nil)
      filter.since = nil
      filter.until = later
      let before = try await EventLog(store: store).page(
        filter, before: .max, size: 1, in: Self.first)
      #expect(before.links.map(\.event.uid) == [try Sample.uid("a5999")])
    }
  }

  /// Adds a checkpoint for the present end of the first project's chain.
  private func addCheckpoint(at time: Date, to store: any Store) async throws -> EventChainEnd {
    let end = try await store.read { try $0.chainEnd(of: Self.first) }
    let checkpoint = EventCheckpoint(project: Self.first, end: end, at: time, token: "token")
    try await store.write { try $0.insert(checkpoint) }
    return end
  }

  /// The result of a verification of the first project's chain. Doesn't verify the checkpoints' signatures.
  private func report(_ store: any Store) async throws -> EventChainReport {
    let (checkpoints, links, end) = try await store.read { transaction in
      (
        try transaction.eventCheckpoints(of: Self.first),
        try transaction.eventLinks(of: Self.first, after: 0, limit: 10_000),
        try transaction.chainEnd(of: Self.first)
      )
    }
    var check = EventChainCheck(checkpoints: checkpoints)
    for link in links { check.add(link) }
    return check.finish(expecting: end)
  }

  @Test(arguments: StoreFactory.all)
  func `old events go up to a checkpoint, and the rest still verifies`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let later = Sample.now + 86_400
      try await append([try event("a"), try event("b")], to: store)
      try await EventLinker(store: store).run()
      let log = EventLog(store: store)
      // Without a checkpoint nothing may go: what is left couldn't be verified.
      #expect(try await log.sweep(olderThan: later) == 0)
      let end = try await addCheckpoint(at: Sample.now, to: store)
      try await append([try event("c", at: later)], to: store)
      try await EventLinker(store: store).run()
      #expect(try await log.sweep(olderThan: Sample.now) == 0)
      #expect(try await log.sweep(olderThan: later) == Int(end.number))
      #expect(try await links(store).map(\.event.uid?.text) == ["c"])
      let report = try await report(store)
      #expect(report.faults.isEmpty)
      #expect(report.start?.end == end)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `the log of a busy project verifies after each transaction that removes old events`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let later = Sample.now + 86_400
      var ends: [EventChainEnd] = []
      // More events between two checkpoints than any page of events has, then only a few.
      for (round, count) in [1100, 2, 3, 600].enumerated() {
        try await append(try (0..<count).map { try event("a\(round)-\($0)") }, to: store)
        try await EventLinker(store: store).run()
        ends.append(try await addCheckpoint(at: Sample.now + Double(round), to: store))
      }
      let log = EventLog(store: store)
      var before: Int64 = 0
      for end in ends {
        #expect(try await report(store).faults.isEmpty)
        #expect(try await log.sweep(olderThan: later) == Int(end.number - before))
        let left = try await report(store)
        #expect(left.faults.isEmpty)
        #expect(left.start?.end == end)
        let checkpoints = try await store.read { try $0.eventCheckpoints(of: Self.first) }
        #expect(checkpoints.first?.end == end)
        before = end.number
      }
      // Only the last checkpoint is left. It explains why there are no events.
      #expect(try await log.sweep(olderThan: later) == 0)
      #expect(try await report(store).count == 0)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a deleted project's events are deleted, and positions are not used again`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      try await append([try event("a", in: Self.second)], to: store)
      try await EventLinker(store: store).run()
      let before = try await store.read { try $0.lastEventPosition() }
      let second = try #require(Self.second)
      try await store.write { try $0.deleteProject(second) }
      try await EventLinker(store: store).run()
      #expect(try await links(of: Self.second, store).isEmpty)
      let behind = try await store.read { try $0.eventLinks(after: before, limit: 10) }
      #expect(behind.map(\.position) == [before + 1])
      #expect(
        behind.first?.event.details
          == ["what": "project", "name": second.text, "change": "deleted"])
      #expect(behind.first?.event.project == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an operation has its caller's origin`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let origins = (0..<20).map { EventOrigin(.command("user\($0)"), source: Self.source) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for origin in origins {
          group.addTask {
            try await EventOrigin.$current.withValue(origin) {
              try await store.write {
                try $0.record(
                  .profileChanged, of: nil, details: ["by": EventOrigin.current.actor.text],
                  in: Self.first, now: Sample.now)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let events = try await store.read { try $0.waitingEvents(after: nil, limit: 100) }
        .compactMap(\.event)
        .filter { $0.kind == .profileChanged }
      #expect(Set(events.map(\.actor)) == Set(origins.map(\.actor)))
      #expect(events.allSatisfy { $0.details["by"] == $0.actor.text && $0.source == Self.source })
    }
  }
}
