import Foundation
import GatehouseServer
import Testing

@Suite struct ServerRecordsTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func entry(_ id: String, keys: [String] = ["00112233"]) -> RunningServers.Entry {
    RunningServers.Entry(id: id, host: "host-\(id)", process: 1, masterKeys: keys, version: "1")
  }

  @Test(arguments: StoreFactory.all)
  func `values are found by the beginning of their names, and removed`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      try await store.write { transaction in
        for name in ["a", "a/1", "a/2", "a0", "b/1"] {
          try transaction.setServerValue(name, to: Array(name.utf8))
        }
        try transaction.removeServerValue("a/2")
        try transaction.removeServerValue("unknown")
      }
      let found = try await store.read { try $0.serverValues(withPrefix: "a/") }
      #expect(found == ["a/1": Array("a/1".utf8)])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `servers are known until they are silent for a minute, or say goodbye`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let servers = RunningServers(store: store)
      try await servers.announce(entry("b"), now: Self.now)
      try await servers.announce(entry("a"), now: Self.now)
      try await servers.announce(entry("a", keys: ["00112233", "44556677"]), now: Self.now + 30)
      let both = try await servers.all(now: Self.now + 59)
      #expect(both == [entry("a", keys: ["00112233", "44556677"]), entry("b")])
      let one = try await servers.all(now: Self.now + 60)
      #expect(one.map(\.id) == ["a"])
      try await servers.remove("a")
      #expect(try await servers.all(now: Self.now + 60).isEmpty)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a server's own row goes when another one finds it silent`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let servers = RunningServers(store: store)
      try await servers.announce(entry("a"), now: Self.now)
      try await servers.announce(entry("b"), now: Self.now + 60)
      let names = try await store.read { try $0.serverValues(withPrefix: "server/").keys.sorted() }
      #expect(names == ["server/b"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `one server has a lease at a time`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let first = WorkLease("sweep", holder: "a", seconds: 60)
      let second = WorkLease("sweep", holder: "b", seconds: 60)
      let other = WorkLease("other", holder: "b", seconds: 60)
      #expect(try await first.take(in: store, now: Self.now))
      #expect(try await !second.take(in: store, now: Self.now + 59))
      #expect(try await other.take(in: store, now: Self.now))
      // Its holder extends it.
      #expect(try await first.take(in: store, now: Self.now + 59))
      #expect(try await !second.take(in: store, now: Self.now + 118))
      // A lease that ended is anybody's, and what isn't one's own can't be given back.
      #expect(try await second.take(in: store, now: Self.now + 119))
      try await first.release(in: store)
      #expect(try await !first.take(in: store, now: Self.now + 120))
      try await second.release(in: store)
      #expect(try await first.take(in: store, now: Self.now + 120))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a lease of a server whose clock is far ahead is ignored`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let early = WorkLease("sweep", holder: "a", seconds: 60)
      let second = WorkLease("sweep", holder: "b", seconds: 60)
      let isTaken = try await early.take(in: store, now: Self.now + 60)
      #expect(isTaken)
      // A minute ahead: two terms.
      #expect(try await !second.take(in: store, now: Self.now))
      #expect(try await early.take(in: store, now: Self.now + 61))
      #expect(try await second.take(in: store, now: Self.now))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `of many servers that want a lease at once, one gets it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await WorkLease("sweep", holder: "\(number)", seconds: 60)
              .take(in: store, now: Self.now)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }
}
