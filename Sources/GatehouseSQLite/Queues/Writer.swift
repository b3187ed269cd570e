import GRDB
import GatehouseAccounts

/// The one thread that writes. It takes every operation that waits, runs all of them in one
/// transaction with a savepoint for each, commits once, and only then answers them.
///
/// One commit costs a wait for the disk however much it holds. While it waits, the next operations
/// gather: the more load there is, the more of them share a commit.
struct Writer: Sendable {
  let connection: DatabaseQueue
  let mailbox: Mailbox<Operation>
  let sealing: any SecretSealing
  let counts: WriterCounts

  /// At most this many operations share a commit, so that the first needn't wait for a thousand.
  static let greatestBatch = 256
  /// After this many pages in the write-ahead log they are copied into the database (8 MiB).
  static let pagesBetweenCheckpoints = 2000

  /// Works until the mailbox is closed and empty, then closes the connection.
  func run() {
    var pages = 0
    while let batch = mailbox.take(atMost: Self.greatestBatch) {
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
        // No caller's rule: whoever broke one was answered by itself.
        if case .conflict = refusal { refusal = .unavailable("the commit was refused") }
        for operation in batch { operation.refuse(refusal) }
      }
      if pages >= Self.pagesBetweenCheckpoints {
        // Here rather than inside a commit: those who wait for this one have their answers.
        connection.writeWithoutTransaction { try? Connection($0).checkpoint() }
        pages = 0
      }
    }
    // The last connection to close copies the log into the database and removes it.
    try? connection.close()
  }

  /// Runs the operations in one transaction and answers how to tell their callers, once that is
  /// durable. If it throws, none of them had an effect.
  private func commit(
    _ batch: [Operation], on connection: Connection
  ) throws -> [() -> Void] {
    try connection.run(TransactionSQL.begin)
    do {
      let transaction = SQLiteTransaction(connection, sealing: sealing)
      var answers: [() -> Void] = []
      answers.reserveCapacity(batch.count)
      for operation in batch {
        try connection.run(TransactionSQL.savepoint)
        let outcome = operation.run(transaction)
        guard connection.isInTransaction else {
          // A failing disk: SQLite has undone everything, also what the others did.
          throw outcome.failure.map(StoreError.of) ?? .unavailable("SQLite ended the transaction")
        }
        if outcome.failure != nil {
          transaction.forgetProject()
          try connection.run(TransactionSQL.undo)
        }
        try connection.run(TransactionSQL.release)
        answers.append(outcome.answer)
      }
      try connection.run(TransactionSQL.commit)
      return answers
    } catch {
      if connection.isInTransaction { try? connection.run(TransactionSQL.rollback) }
      throw error
    }
  }
}
