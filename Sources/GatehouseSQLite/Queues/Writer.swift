import GRDB
import GatehouseAccounts
import GatehouseSQL

/// The only thread that writes. It takes several waiting operations, runs them in one transaction,
/// commits once, and only then returns their results.
///
/// A commit waits for the disk, no matter how much it contains. Meanwhile the next operations
/// collect: the higher the load, the more of them share a commit.
struct Writer: Sendable {
  let connection: DatabaseQueue
  let mailbox: Mailbox<StoreOperation>
  let sealing: any SecretSealing
  let counts: WriterCounts

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

  /// Runs until the mailbox is closed and empty, then closes the connection.
  func run() {
    var pages = 0
    var isSecondHalf = false
    while let batch = mailbox.take(atMost: isSecondHalf ? Self.greatestBatch : halfOfWaiting) {
      isSecondHalf = !isSecondHalf && mailbox.count > 0
      do {
        let answers = try connection.writeWithoutTransaction { database in
          let connection = try Connection(database)
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
    min(Self.greatestBatch, max(Self.greatestWholeBatch, mailbox.count / 2))
  }

  /// Runs the operations in one transaction. Returns closures that return the results to the
  /// callers, to be called when the transaction is durable. If it throws, no operation had an
  /// effect.
  ///
  /// An operation that fails usually fails before it writes, and leaves nothing to undo. So the
  /// operations run without savepoints at first: within a savepoint, SQLite copies each page before
  /// it changes it. If an operation fails after it wrote, all run again, with a savepoint for each.
  private func commit(
    _ batch: [StoreOperation], on connection: Connection
  ) throws -> [() -> Void] {
    if let answers = try transaction(on: connection, { try run(batch, in: $0, on: connection) }) {
      return answers
    }
    let answers = try transaction(on: connection) {
      try runWithSavepoints(batch, in: $0, on: connection)
    }
    guard let answers else { throw StoreError.unavailable("the transaction was not committed") }
    return answers
  }

  /// Commits what `body` did if it returns a value. Otherwise undoes it.
  private func transaction<Value>(
    on connection: Connection, _ body: (any SQLStoreTransaction) throws -> Value?
  ) throws -> Value? {
    try connection.run(TransactionSQL.begin)
    do {
      let value = try body(SQLRecords.transaction(on: connection, sealing: sealing))
      try connection.run(value == nil ? TransactionSQL.rollback : TransactionSQL.commit)
      return value
    } catch {
      if connection.isInTransaction { try? connection.run(TransactionSQL.rollback) }
      throw error
    }
  }

  /// Returns nil if an operation failed after it wrote.
  private func run(
    _ batch: [StoreOperation], in transaction: any SQLStoreTransaction, on connection: Connection
  ) throws -> [() -> Void]? {
    var answers: [() -> Void] = []
    answers.reserveCapacity(batch.count)
    for operation in batch {
      let changesBefore = connection.totalChanges
      let outcome = operation.run(transaction)
      try check(outcome, connection)
      if outcome.failure != nil {
        guard connection.totalChanges == changesBefore else { return nil }
        transaction.forgetProject()
      }
      answers.append(outcome.answer)
    }
    return answers
  }

  private func runWithSavepoints(
    _ batch: [StoreOperation], in transaction: any SQLStoreTransaction, on connection: Connection
  ) throws -> [() -> Void]? {
    var answers: [() -> Void] = []
    answers.reserveCapacity(batch.count)
    for operation in batch {
      try connection.run(SavepointSQL.savepoint)
      let outcome = operation.run(transaction)
      try check(outcome, connection)
      if outcome.failure != nil {
        transaction.forgetProject()
        try connection.run(SavepointSQL.undo)
      }
      try connection.run(SavepointSQL.release)
      answers.append(outcome.answer)
    }
    return answers
  }

  /// If the disk fails, SQLite undoes everything, also what the other operations wrote.
  private func check(_ outcome: StoreOperation.Outcome, _ connection: Connection) throws {
    guard connection.isInTransaction else {
      throw outcome.failure.map(StoreError.of) ?? .unavailable("SQLite ended the transaction")
    }
  }
}
