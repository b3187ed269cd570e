import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

/// An error of a caller's own.
private struct Refusal: Error {}

/// How often each of several operations ran.
private final class Runs: Sendable {
  private let counts = Mutex<[Int: Int]>([:])

  func add(_ operation: Int) { counts.withLock { $0[operation, default: 0] += 1 } }

  subscript(operation: Int) -> Int { counts.withLock { $0[operation, default: 0] } }
}

@Suite struct SharedCommitTests {
  @Test func `operations that wait together share a commit`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      try await withHeldWriter(of: store) { gate in
        let before = store.counts.commits
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<100 {
            group.addTask {
              _ = try await store.write { try $0.spend(token(number), in: project) }
            }
          }
          await waitingWrites(100, of: store)
          gate.open()
          try await group.waitForAll()
        }
        // One for the blocked operation, and one for each half of the hundred.
        #expect(store.counts.commits - before == 3)
      }
      await store.close()
    }
  }

  @Test(arguments: [false, true])
  func `an operation that fails is undone alone`(writesFirst: Bool) async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      let runs = Runs()
      try await withHeldWriter(of: store) { gate in
        let before = store.counts.commits
        await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<3 {
            group.addTask {
              try await store.write { transaction in
                runs.add(number)
                if number == 1, !writesFirst { throw Refusal() }
                let isNew = try transaction.spend(token(number), in: project)
                if number == 1 { throw Refusal() }
                return isNew
              }
            }
            await waitingWrites(number + 1, of: store)
          }
          gate.open()
          var outcomes: [Bool?] = []
          while let outcome = await group.nextResult() {
            outcomes.append(try? outcome.get())
            if case .failure(let error) = outcome { #expect(error is Refusal) }
          }
          #expect(outcomes.count { $0 == true } == 2)
          #expect(outcomes.count { $0 == nil } == 1)
        }
        // One for the blocked operation.
        #expect(store.counts.commits - before == 2)
      }
      let unspent = try await store.write { transaction in
        try (0..<3).filter { try transaction.spend(token($0), in: project) }
      }
      #expect(unspent == [1])
      // If the failed operation wrote, the first two are rolled back, and all three run again.
      #expect((0..<3).map { runs[$0] } == (writesFirst ? [2, 2, 1] : [1, 1, 1]))
      await store.close()
    }
  }

  @Test func `a full database is unavailable until there is room`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      let pages = try #require(Int(try await store.pragma("page_count") ?? ""))
      _ = try await store.pragma("max_page_count = \(pages + 4)")
      var stored = 0
      let full = StoreError.unavailable("the disk is full: make room")
      await #expect(throws: full) {
        for number in 0..<100_000 {
          try await store.write { transaction in
            try transaction.setServerValue("value \(number)", to: Array(repeating: 1, count: 2000))
          }
          stored += 1
        }
      }
      #expect(stored > 0)
      _ = try await store.pragma("max_page_count = 1000000")
      let (isNew, found) = try await store.write { [stored] transaction in
        (
          try transaction.spend(token(1), in: project),
          try (0...stored).count { try transaction.serverValue("value \($0)") != nil }
        )
      }
      #expect(isNew)
      #expect(found == stored)
      await store.close()
    }
  }

  @Test func `a database that another process has locked is unavailable meanwhile`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder, lockWaitMilliseconds: 20)
      let project = try projectID()
      let other = try connect(folder)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      await #expect(
        throws: StoreError.unavailable("another process has locked the database: try again")
      ) { try await store.write { try $0.spend(token(1), in: project) } }
      // Reads still work.
      #expect(try await store.read { try $0.projects().count } == 1)
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      #expect(try await store.write { try $0.spend(token(1), in: project) })
      try other.close()
      await store.close()
    }
  }

  @Test func `a commit that fails refuses all operations that share it`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      // COMMIT itself checks a deferred constraint.
      try await connect(folder).write {
        try $0.execute(
          sql: """
            CREATE TABLE promises (
              project INTEGER REFERENCES projects DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER breaks AFTER INSERT ON server_values WHEN new.name = 'break'
            BEGIN INSERT INTO promises VALUES (99); END;
            """)
      }
      try await withHeldWriter(of: store) { gate in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for name in ["good", "break"] {
            group.addTask {
              await #expect(throws: StoreError.unavailable("the commit was refused")) {
                try await store.write { transaction in
                  _ = try transaction.spend(token(1), in: project)
                  try transaction.setServerValue(name, to: [])
                }
              }
            }
          }
          await waitingWrites(2, of: store)
          gate.open()
          try await group.waitForAll()
        }
      }
      #expect(try await store.write { try $0.spend(token(1), in: project) })
      await store.close()
    }
  }

  @Test func `an operation beyond the queue's limit is refused at once`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      try await withHeldWriter(of: store) { gate in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<SQLiteStore.greatestQueue {
            group.addTask { try await store.write { _ in } }
          }
          await waitingWrites(SQLiteStore.greatestQueue, of: store)
          await #expect(
            throws: StoreError.unavailable("too many operations are waiting for the database")
          ) { try await store.write { _ in } }
          gate.open()
          try await group.waitForAll()
        }
      }
      await store.close()
    }
  }
}
