import Foundation
import GatehouseAccounts
import GatehouseSQL

struct PostgresJob: Sendable {
  let operation: StoreOperation
  let mode: PostgresTransactionMode
  /// When the caller must have a result or an error.
  let deadline: ContinuousClock.Instant

  static let tooLate = StoreError.unavailable("the operation waited too long for the database")
}

/// One thread's work: takes an operation, and runs it in a transaction of its own.
struct PostgresWorker: Sendable {
  let address: PostgresAddress
  let jobs: Mailbox<PostgresJob>
  let sealing: any SecretSealing
  let shared: PostgresShared
  let admission: PostgresAdmission

  /// How often an operation that can't be serialized is attempted. At each abort, another operation
  /// has succeeded.
  private static let maximumAttempts = 20
  private static let greatestPauseSeconds = 0.05
  /// The pause between two attempts to connect.
  private static let reconnectPauseSeconds = 0.1

  /// Runs until the mailbox is closed and empty.
  func run() {
    var connection: PostgresConnection?
    while let job = jobs.take(atMost: 1)?.first {
      do {
        admission.enter()
        defer { admission.leave() }
        try perform(job, on: &connection)()
      } catch {
        job.operation.refuse(error as? StoreError ?? .unavailable("\(error)"))
      }
    }
  }

  /// - Returns: A function that tells the caller the result, which is durable.
  private func perform(
    _ job: PostgresJob, on connection: inout PostgresConnection?
  ) throws -> () -> Void {
    var savesEachStatement = false
    var conflicts = 0
    var losses = 0
    while true {
      guard ContinuousClock.now < job.deadline else { throw PostgresJob.tooLate }
      let open = try connect(&connection, until: job.deadline)
      open.begin(job.mode, savesEachStatement: savesEachStatement, until: job.deadline)
      do {
        if let answer = try run(job, on: open) {
          admission.noteSuccess()
          return answer
        }
        savesEachStatement = true
        continue
      } catch {
        guard let failure = open.failure else {
          connection = nil
          throw error
        }
        if failure.isConnectionLost || failure.needsAnotherConnection {
          let isUnknown =
            failure.isConnectionLost && open.state == .committing && job.mode == .write
          connection = nil
          if isUnknown {
            throw StoreError.unavailable(
              "the connection to PostgreSQL was lost during a commit: it isn't known whether the "
                + "change was made")
          }
          losses += 1
          // The first time another connection probably works. After a failover it takes a while.
          if losses > 1 { Thread.sleep(forTimeInterval: Self.reconnectPauseSeconds) }
          continue
        }
        do {
          try open.rollBack()
        } catch {
          connection = nil
        }
        if failure.lostPreparedStatements {
          shared.stopPreparing()
          connection = nil
          continue
        }
        guard failure.isTransient else { throw error }
        admission.noteAbort()
        conflicts += 1
        guard conflicts < Self.maximumAttempts else { throw error }
        let longest = min(Self.greatestPauseSeconds, 0.001 * Double(1 << min(conflicts, 10)))
        Thread.sleep(forTimeInterval: Double.random(in: 0...longest))
      }
    }
  }

  private func connect(
    _ connection: inout PostgresConnection?, until deadline: ContinuousClock.Instant
  ) throws -> PostgresConnection {
    if let connection, connection.isUsable { return connection }
    connection = nil
    while true {
      do {
        let new = try PostgresConnection(address, shared: shared)
        connection = new
        return new
      } catch {
        guard ContinuousClock.now < deadline, !jobs.isClosed else { throw error }
        Thread.sleep(forTimeInterval: Self.reconnectPauseSeconds)
      }
    }
  }

  /// - Returns: Nil if a statement that was sent together with others violated a constraint. The
  ///   operation must then run again with each statement by itself, because it may handle the
  ///   error.
  private func run(
    _ job: PostgresJob, on connection: PostgresConnection
  ) throws -> (() -> Void)? {
    let transaction = SQLRecords.transaction(on: connection, sealing: sealing)
    let outcome = job.operation.run(transaction)
    if connection.hadConflict, !connection.savesEachStatement {
      try connection.rollBack()
      return nil
    }
    // After a failed statement, the outcome is not valid.
    if let failure = connection.failure, !failure.isConflict { throw failure.storeError }
    if outcome.failure is StoreError {
      try connection.rollBack()
      return outcome.answer
    }
    if outcome.failure != nil { try connection.undoOperation() }
    if case .read = job.mode {
      connection.endReading()
      return outcome.answer
    }
    // Commit also after an error of the domain: only a commit shows that what the operation read
    // was consistent.
    do {
      try connection.commit()
    } catch StoreError.conflict where !connection.savesEachStatement {
      try connection.rollBack()
      return nil
    }
    return outcome.answer
  }
}
