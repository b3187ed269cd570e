import Foundation
import GRDB

/// All records in one SQLite file.
///
/// Several processes may have the same database open, e.g. a server and a command. SQLite's locks
/// isolate their transactions, and ``changeCounter()`` shows each process whether another one
/// changed settings.
///
/// Created by ``open(at:sealing:lockWaitMilliseconds:)``. A store that is released closes by
/// itself; ``close()`` also waits until its threads have ended.
package final class SQLiteStore: Store {
  /// The maximum number of waiting writes, and of waiting reads. A further one is refused with
  /// `StoreError.unavailable`.
  package static let greatestQueue = 10_000

  private let writes = JobQueue<StoreOperation>(limit: greatestQueue)
  private let reads = JobQueue<StoreOperation>(limit: greatestQueue)
  package let counts = WriterCounts()
  private let damageMark = DamageMark()

  package var fault: StoreError? { damageMark.error }

  /// How many writes wait for the next commit.
  package var waitingWrites: Int { writes.count }

  init(_ connections: SQLiteConnections, sealing: any SecretSealing) {
    let writer = Writer(
      connection: connections.writer, jobs: writes, sealing: sealing, counts: counts,
      damage: damageMark)
    Self.start("gatehouse.writer", writes) { writer.run() }
    for connection in connections.readers {
      let reader = Reader(
        connection: connection, jobs: reads, sealing: sealing, damage: damageMark)
      Self.start("gatehouse.reader", reads) { reader.run() }
    }
  }

  deinit {
    reads.close()
    writes.close()
  }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await Span.within("write transaction", Self.attributes) {
      try await Self.submit(body, to: writes)
    }
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await Span.within("read transaction", Self.attributes) {
      try await Self.submit(body, to: reads)
    }
  }

  package func changeCounter() async throws -> Int64 {
    try await read { try $0.changeCounter() }
  }

  package func close() async {
    // Readers first: the last connection to close copies the log into the database, which only the
    // writer can do.
    reads.close()
    await reads.ended()
    writes.close()
    await writes.ended()
  }

  private static let attributes = ["db.system.name": "sqlite"]

  private static func submit<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result,
    to jobs: JobQueue<StoreOperation>
  ) async throws -> Result {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Committed<Result>, any Error>) in
      let operation = StoreOperation(body, answering: continuation)
      if let refusal = jobs.put(operation) { operation.refuse(refusal) }
    }.reported()
  }

  private static func start(
    _ name: String, _ jobs: JobQueue<StoreOperation>, _ body: @escaping @Sendable () -> Void
  ) {
    jobs.threadWillStart()
    let thread = Thread {
      body()
      jobs.threadDidEnd()
    }
    thread.name = name
    thread.start()
  }
}
