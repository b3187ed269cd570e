/// The statements of one table: an enumeration, so that a test can list them all.
protocol SQLStatement: CaseIterable {
  var text: String { get }
}

extension SQLStatement where Self: RawRepresentable<String> {
  var text: String { rawValue }
}

/// The statements for transactions, and for the savepoints with which many operations share one.
enum TransactionSQL: String, SQLStatement {
  /// Takes the write lock at once. A transaction that reads first and writes later could otherwise
  /// fail in the middle.
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
