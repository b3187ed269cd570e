package import Foundation

/// All records in a PostgreSQL database, which many servers may share.
///
/// A few threads have a connection each. libpq blocks its thread until the server responds, so no
/// thread of Swift concurrency calls it.
package final class PostgresStore: Store {
  /// The maximum number of waiting operations; one more is refused with `StoreError.unavailable`.
  package static let greatestQueue = 10_000

  private static let secondsBetweenLooks = 0.1

  private let jobs = JobQueue<PostgresJob>(limit: greatestQueue)
  private let shared = PostgresShared()
  private let address: PostgresAddress
  private let primary: PostgresPrimary
  /// How many transactions may run at the same time. Internal for tests.
  let admission: PostgresAdmission

  /// Connects, and migrates the tables.
  ///
  /// - Parameter memory: The timeline that was used before; a primary that lacks it is refused.
  /// - Throws: `StoreError.unavailable` if there is no connection, or if the primary is refused;
  ///   `StoreError.damaged` if the tables are of a newer version that doesn't allow this one, or of another
  ///   build.
  package static func open(
    _ address: PostgresAddress, sealing: any SecretSealing,
    memory: (any PostgresTimelineMemory)? = nil
  ) throws -> PostgresStore {
    let primary = try PostgresPrimary(memory)
    let connection = try PostgresConnection(address)
    try primary.review(connection, until: address.deadline)
    _ = try PostgresMigrator.migrate(
      connection, with: Migration.ofPostgres, until: address.deadline)
    return PostgresStore(address, primary, sealing: sealing)
  }

  private init(_ address: PostgresAddress, _ primary: PostgresPrimary, sealing: any SecretSealing) {
    self.address = address
    self.primary = primary
    admission = PostgresAdmission(greatest: address.connections)
    for number in 0..<max(1, address.connections) {
      let worker = PostgresWorker(
        address: address, jobs: jobs, sealing: sealing, shared: shared, primary: primary,
        admission: admission)
      jobs.threadWillStart()
      let thread = Thread { [jobs] in
        worker.run()
        jobs.threadDidEnd()
      }
      thread.name = "gatehouse.postgres.\(number)"
      thread.start()
    }
    refuseLate()
  }

  /// Refuses each operation that still waits for a connection at its deadline: all connections may
  /// be waiting for a server that doesn't respond.
  private func refuseLate() {
    let thread = Thread { [jobs, primary] in
      while !jobs.isClosed {
        Thread.sleep(forTimeInterval: Self.secondsBetweenLooks)
        let now = ContinuousClock.now
        for job in jobs.takeFirst(while: { $0.isLate(at: now) }) {
          primary.noteLoss()
          job.operation.refuse(primary.refusal ?? PostgresJob.tooLate)
        }
      }
    }
    thread.name = "gatehouse.postgres.deadlines"
    thread.start()
  }

  deinit { jobs.close() }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await Span.within("write transaction", Self.attributes) { try await submit(body, .write) }
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await Span.within("read transaction", Self.attributes) { try await submit(body, .read) }
  }

  package func changeCounter() async throws -> Int64 {
    let counter = try await read { try $0.changeCounter() }
    shared.look(at: counter)
    return counter
  }

  package func databaseTime() async throws -> Date? {
    try await read { transaction in
      try transaction.connection.first(ClockSQL.now) {
        Date(timeIntervalSince1970: Double($0.integer(0)) / 1_000_000)
      }
    }
  }

  package var fault: StoreError? { primary.refusal }

  package var unreachableSince: ContinuousClock.Instant? { primary.unreachableSince }

  /// How often operations waited for the server's response.
  package var roundTrips: Int { shared.roundTrips }

  package func close() async {
    jobs.close()
    await jobs.ended()
  }

  private static let attributes = ["db.system.name": "postgresql"]

  private func submit<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result,
    _ mode: PostgresTransactionMode
  ) async throws -> Result {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Committed<Result>, any Error>) in
      let operation = StoreOperation(body, answering: continuation)
      let job = PostgresJob(operation: operation, mode: mode, address)
      if let refusal = jobs.put(job) { operation.refuse(refusal) }
    }.reported()
  }
}

/// Not `now()`, which is the time at which the transaction began.
enum ClockSQL: String, SQLStatement {
  case now = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
}
