import Foundation
package import GatehouseAccounts
import GatehouseSQL

/// All records in a PostgreSQL database, which many servers may share.
///
/// A few threads have a connection each. libpq waits for the server's answer, so no thread of Swift's
/// concurrency calls it.
package final class PostgresStore: Store {
  /// The maximum number of waiting operations; one more is refused with `StoreError.unavailable`.
  package static let greatestQueue = 10_000
  package static let defaultConnections = 8

  private let jobs = Mailbox<PostgresJob>(limit: greatestQueue)

  /// Connects, and brings the tables up to date.
  ///
  /// - Parameters:
  ///   - url: `postgres://…`, with libpq's parameters.
  ///   - connections: How many operations run at the same time.
  /// - Throws: `StoreError.unavailable` without a connection, `StoreError.damaged` for tables of a
  ///   newer version.
  package static func open(
    _ url: String, sealing: any SecretSealing, connections: Int = defaultConnections
  ) throws -> PostgresStore {
    try PostgresMigrator.migrate(PostgresConnection(url), with: PostgresMigration.all)
    return PostgresStore(url, sealing: sealing, connections: max(1, connections))
  }

  private init(_ url: String, sealing: any SecretSealing, connections: Int) {
    for number in 0..<connections {
      let worker = PostgresWorker(url: url, jobs: jobs, sealing: sealing)
      jobs.threadWillStart()
      let thread = Thread { [jobs] in
        worker.run()
        jobs.threadDidEnd()
      }
      thread.name = "gatehouse.postgres.\(number)"
      thread.start()
    }
  }

  deinit { jobs.close() }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await submit(body, isWrite: true)
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await submit(body, isWrite: false)
  }

  package func changeCounter() async throws -> Int64 {
    try await read { try ($0 as? any SQLStoreTransaction)?.changeCounter() ?? 0 }
  }

  package func close() async {
    jobs.close()
    await jobs.ended()
  }

  private func submit<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result, isWrite: Bool
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let operation = StoreOperation(body, answering: continuation)
      if let refusal = jobs.put(PostgresJob(operation: operation, isWrite: isWrite)) {
        operation.refuse(refusal)
      }
    }
  }
}
