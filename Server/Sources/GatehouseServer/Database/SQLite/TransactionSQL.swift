/// The statements for transactions.
enum TransactionSQL: String, SQLStatement {
  /// Takes the write lock at once. A transaction that reads first and writes later could otherwise
  /// fail in the middle.
  case begin = "BEGIN IMMEDIATE"
  case beginReading = "BEGIN DEFERRED"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
}
