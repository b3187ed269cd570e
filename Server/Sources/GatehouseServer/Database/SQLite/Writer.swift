import GRDB
import Metrics

/// The only thread that writes. It takes several waiting operations, runs them in one transaction,
/// commits once, and only then returns their results.
///
/// A commit waits for the disk, no matter how much it contains. Meanwhile the next operations
/// collect: the higher the load, the more of them share a commit.
struct Writer: Sendable {
  let connection: DatabaseQueue
  let jobs: JobQueue<StoreOperation>
  let sealing: any SecretSealing
  let counts: WriterCounts
  let damage: DamageMark

  private let commitTimer = Metric.commitSeconds.timer()

  /// The maximum number of operations that share a commit, so that the first one doesn't wait for
  /// thousands.
  static let greatestBatch = 256
  /// If more operations than this wait, half of them share a commit (but at least this many), and
  /// the rest the next one. If all shared one commit, every client would wait for it, and the
  /// processor would have nothing to do while the disk writes.
  static let greatestWholeBatch = 16
  /// The number of written pages (about 8 MiB) after which the write-ahead log is copied into the
  /// database.
  static let pagesBetweenCheckpoints = 2000

  /// Runs until the queue is closed and empty, then closes the connection.
  func run() {
    var pages = 0
    var isSecondHalf = false
    while let batch = jobs.take(atMost: isSecondHalf ? Self.greatestBatch : halfOfWaiting) {
      isSecondHalf = !isSecondHalf && jobs.count > 0
      do {
        let answers = try connection.writeWithoutTransaction { database in
          let connection = try Connection(database, damage: damage)
          defer { pages += connection.takePagesWritten() }
          return try commit(batch, on: connection)
        }
        counts.add(operations: batch.count)
        for answer in answers { answer() }
      } catch {
        var refusal = StoreError.of(error)
        // A conflict of one operation was returned to its own caller, so a conflict of the commit
        // is no caller's fault.
        if case .conflict = refusal { refusal = .unavailable("the commit was refused") }
        for operation in batch { operation.refuse(refusal) }
      }
      if pages >= Self.pagesBetweenCheckpoints {
        // Here and not inside a commit: the callers already have their results.
        connection.writeWithoutTransaction { try? Connection($0).checkpoint() }
        pages = 0
      }
    }
    // The last connection to close copies the log into the database and removes it.
    try? connection.close()
  }

  private var halfOfWaiting: Int {
    min(Self.greatestBatch, max(Self.greatestWholeBatch, jobs.count / 2))
  }

  /// Runs the operations in one transaction. Returns closures that return the results to the
  /// callers, to be called when the transaction is durable. If it throws, no operation had an
  /// effect.
  ///
  /// An operation that fails usually fails before it writes, and leaves nothing to undo. So the
  /// operations run without savepoints at first: within a savepoint, SQLite copies each page before
  /// it changes it. If an operation fails after it wrote, all run again, with a savepoint for each.
  private func commit(
    _ batch: [StoreOperation], withSavepoints: Bool = false, on connection: Connection
  ) throws -> [() -> Void] {
    try connection.run(TransactionSQL.begin)
    do {
      let transaction = Transaction(connection, sealing: sealing)
      var answers: [() -> Void] = []
      answers.reserveCapacity(batch.count)
      for operation in batch {
        let changesBefore = connection.totalChanges
        if withSavepoints { try connection.run(SavepointSQL.savepoint) }
        let outcome = operation.run(transaction)
        guard connection.isInTransaction else {
          // If the disk fails, SQLite undoes everything, also what the other operations wrote.
          throw outcome.failure.map(StoreError.of) ?? .unavailable("SQLite ended the transaction")
        }
        if outcome.failure != nil {
          transaction.forgetProject()
          if withSavepoints {
            try connection.run(SavepointSQL.undo)
          } else if connection.totalChanges != changesBefore {
            try connection.run(TransactionSQL.rollback)
            return try commit(batch, withSavepoints: true, on: connection)
          }
        }
        if withSavepoints { try connection.run(SavepointSQL.release) }
        answers.append(outcome.answer)
      }
      let start = ContinuousClock.now
      try connection.run(TransactionSQL.commit)
      commitTimer.record(.now - start)
      return answers
    } catch {
      if connection.isInTransaction { try? connection.run(TransactionSQL.rollback) }
      throw error
    }
  }
}
