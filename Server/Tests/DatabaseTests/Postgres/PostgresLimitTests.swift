import Foundation
@testable import GatehouseServer
import Synchronization
import TestStores
import Testing

/// How long operations wait, and how long they may run.
@Suite struct PostgresLimitTests {
  private func open(
    _ url: String, connections: Int = 1, wait: Int, statement: Int?
  ) throws -> PostgresStore {
    var place = try address(url, connections: connections)
    place.waitSeconds = wait
    place.statementSeconds = statement
    return try PostgresStore.open(place, sealing: PlainSealer())
  }

  private func run(_ sql: String, in store: PostgresStore) async throws {
    try await store.write { transaction in
      let connection = transaction.connection
      try connection.execute(sql, []) { _ in }
    }
  }

  @Test func `an operation that has a connection may run for longer than it may wait`() async throws
  {
    try await withSchema { _, _, url in
      let store = try open(url, wait: 1, statement: 60)
      try await run("SELECT pg_sleep(2)", in: store)
      await store.close()
    }
  }

  @Test func `an operation that loses its connection late waits for another one`() async throws {
    try await withSchema { _, _, url in
      let store = try open(url, wait: 1, statement: 60)
      let attempts = Mutex(0)
      try await store.write { transaction in
        let connection = transaction.connection
        let attempt = attempts.withLock { attempts in
          attempts += 1
          return attempts
        }
        try transaction.setServerValue("a", to: [UInt8(attempt)])
        if attempt > 1 { return }
        // The time in which it had to get its first connection is over.
        try connection.execute("SELECT pg_sleep(1.5)", []) { _ in }
        try connection.execute(Self.losingConnection, []) { _ in }
      }
      #expect(try await store.read { try $0.serverValue("a") } == [2])
      await store.close()
    }
  }

  /// A server's operation could otherwise repeat for `statementSeconds`, and one of a command for ever.
  @Test(arguments: [60, nil] as [Int?])
  func `an operation that loses each connection is refused`(statement: Int?) async throws {
    try await withSchema { _, _, url in
      let store = try open(url, wait: 1, statement: statement)
      let start = ContinuousClock.now
      await #expect(throws: PostgresJob.tooLate) { try await run(Self.losingConnection, in: store) }
      #expect(ContinuousClock.now - start < .seconds(300))
      await store.close()
    }
  }

  /// The server ends the connection during the statement.
  private static let losingConnection =
    "SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(600)"

  @Test func `statements have one limit together, not each its own`() async throws {
    try await withSchema { _, _, url in
      let store = try open(url, wait: 60, statement: 3)
      await #expect(throws: StoreError.unavailable("the statement took too long")) {
        try await store.write { transaction in
          let connection = transaction.connection
          for _ in 0..<4 { try connection.execute("SELECT pg_sleep(1)", []) { _ in } }
          // The last ones go with the commit.
          try transaction.setServerValue("a", to: [1])
        }
      }
      #expect(try await store.read { try $0.serverValue("a") } == nil)
      await store.close()
    }
  }

  @Test func `an undone savepoint doesn't bring the first limit back`() async throws {
    try await withSchema { _, _, url in
      let connection = try PostgresConnection(try address(url))
      let limit = "SELECT current_setting('statement_timeout')::interval > interval '3 s'"
      connection.begin(.write, savesEachStatement: false, until: .now + .seconds(5))
      try connection.execute("SELECT pg_sleep(0.1)", []) { _ in }
      try connection.execute("SAVEPOINT attempt", []) { _ in }
      try connection.execute("SELECT pg_sleep(2.5)", []) { _ in }
      var isLong: [Bool] = []
      try connection.execute(limit, []) { isLong.append($0.integer(0) == 1) }
      try connection.execute("ROLLBACK TO SAVEPOINT attempt", []) { _ in }
      try connection.execute(limit, []) { isLong.append($0.integer(0) == 1) }
      #expect(isLong == [false, false])
      try connection.rollBack()
    }
  }

  @Test func `a command's operations have no limit, and wait for each other`() async throws {
    try await withSchema { _, _, url in
      let store = try open(url, wait: 1, statement: nil)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try await run("SELECT pg_sleep(1)", in: store) } }
        try await group.waitForAll()
      }
      var isLimited = true
      let connection = try PostgresConnection(
        {
          var place = try address(url); place.statementSeconds = nil; return place
        }())
      connection.begin(.write, savesEachStatement: false)
      try connection.execute("SELECT current_setting('statement_timeout') <> '0'", []) {
        isLimited = $0.integer(0) == 1
      }
      #expect(!isLimited)
      connection.endReading()
      await store.close()
    }
  }

  @Test func `what isn't admitted is refused when it is too late`() async throws {
    try await withSchema { cluster, _, url in
      let key = Int.random(in: 1...Int(Int32.max))
      let holder = try PostgresConnection(try address(url))
      try holder.script("SELECT pg_advisory_lock(\(key))")
      let store = try open(url, connections: 8, wait: 2, statement: 60)
      for _ in 0..<100 { store.admission.noteAbort() }
      // Those that were admitted before may run once more.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try await run("SELECT pg_sleep(0.5)", in: store) } }
        try await group.waitForAll()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<store.admission.current {
          group.addTask {
            try await run("SELECT pg_advisory_xact_lock(\(key)) IS NULL", in: store)
          }
        }
        let end = ContinuousClock.now + .seconds(300)
        let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = \(key)"
        while try cluster.rows(waiting) != [["5"]], ContinuousClock.now < end {
          try await Task.sleep(for: .milliseconds(20))
        }
        await #expect(throws: PostgresJob.tooLate) { _ = try await store.changeCounter() }
        try holder.script("SELECT pg_advisory_unlock(\(key))")
        try await group.waitForAll()
      }
      _ = try await store.changeCounter()
      await store.close()
    }
  }
}
