/// The texts of one table's statements: an enumeration, so that a test can ask for all of them.
protocol SQLStatement: CaseIterable {
  var text: String { get }
}

extension SQLStatement where Self: RawRepresentable<String> {
  var text: String { rawValue }
}

/// Transactions, and the savepoints by which many operations share one.
enum TransactionSQL: String, SQLStatement {
  /// Takes the write lock at once: a transaction that reads first and writes later could otherwise
  /// be refused in its middle.
  case begin = "BEGIN IMMEDIATE"
  case beginReading = "BEGIN DEFERRED"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
  case savepoint = "SAVEPOINT operation"
  case release = "RELEASE operation"
  case undo = "ROLLBACK TO operation"
  case savepointWithin = "SAVEPOINT attempt"
  case releaseWithin = "RELEASE attempt"
  case undoWithin = "ROLLBACK TO attempt"
}
