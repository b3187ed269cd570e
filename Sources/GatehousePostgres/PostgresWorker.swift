import Foundation
import GatehouseAccounts
import GatehouseSQL

struct PostgresJob: Sendable {
  let operation: StoreOperation
  let isWrite: Bool
}

/// One thread's work: takes an operation, and runs it in a transaction of its own.
struct PostgresWorker: Sendable {
  let url: String
  let jobs: Mailbox<PostgresJob>
  let sealing: any SecretSealing

  /// How often an operation is tried that can't be serialized. Each time another one has succeeded.
  private static let maximumAttempts = 20
  private static let greatestPauseSeconds = 0.05

  /// Runs until the mailbox is closed and empty.
  func run() {
    var connection: PostgresConnection?
    while let job = jobs.take(atMost: 1)?.first {
      do {
        if connection?.isUsable != true { connection = try PostgresConnection(url) }
        guard let open = connection else { throw StoreError.closed }
        try perform(job, on: open)()
      } catch {
        job.operation.refuse(error as? StoreError ?? .unavailable("\(error)"))
      }
    }
  }

  /// - Returns: What tells the caller the result, which is durable.
  private func perform(_ job: PostgresJob, on connection: PostgresConnection) throws -> () -> Void {
    var savesEachStatement = false
    for attempt in 1... {
      connection.beginAttempt(savesEachStatement: savesEachStatement)
      do {
        if let answer = try run(job, on: connection) { return answer }
        try connection.runAll("ROLLBACK")
        savesEachStatement = true
      } catch {
        if connection.isUsable && connection.isInTransaction {
          try? connection.runAll("ROLLBACK")
        }
        guard connection.transientFailure != nil, attempt < Self.maximumAttempts else {
          throw error
        }
        let longest = min(Self.greatestPauseSeconds, 0.001 * Double(1 << min(attempt, 10)))
        Thread.sleep(forTimeInterval: Double.random(in: 0...longest))
      }
    }
    throw StoreError.unavailable("the transaction could not be serialized")
  }

  /// - Returns: Nil if the operation handled the conflict of a statement and went on. PostgreSQL then
  ///   refuses what follows: the operation must run again, with a savepoint for each statement.
  private func run(
    _ job: PostgresJob, on connection: PostgresConnection
  ) throws -> (() -> Void)? {
    try connection.runAll(
      job.isWrite
        ? "BEGIN ISOLATION LEVEL SERIALIZABLE; SAVEPOINT operation"
        : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SAVEPOINT operation")
    let transaction = SQLRecords.transaction(on: connection, sealing: sealing)
    let outcome = job.operation.run(transaction)
    // What a failed statement told is no result: the transaction runs again.
    if let failure = connection.transientFailure { throw failure.storeError }
    if outcome.failure is StoreError, !connection.hadConflict || outcome.failure.isConflict {
      try connection.runAll("ROLLBACK")
      return outcome.answer
    }
    if connection.hadConflict && !connection.savesEachStatement { return nil }
    if outcome.failure != nil { try connection.runAll("ROLLBACK TO SAVEPOINT operation") }
    // Also after an error of the domain: only a commit shows that what it read was consistent.
    try connection.runAll("COMMIT")
    return outcome.answer
  }
}

extension Optional<any Error> {
  fileprivate var isConflict: Bool {
    if case .some(StoreError.conflict) = self { true } else { false }
  }
}
