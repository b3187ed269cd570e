/// The statements of one table: an enumeration, so that a test can list them all.
package protocol SQLStatement: CaseIterable {
  var text: String { get }
}

extension SQLStatement where Self: RawRepresentable<String> {
  package var text: String { rawValue }
}

/// The savepoint of an operation, so that several can share a transaction, and the savepoint of an
/// attempt within an operation.
package enum SavepointSQL: String, SQLStatement {
  case savepoint = "SAVEPOINT operation"
  case release = "RELEASE SAVEPOINT operation"
  case undo = "ROLLBACK TO SAVEPOINT operation"
  case savepointWithin = "SAVEPOINT attempt"
  case releaseWithin = "RELEASE SAVEPOINT attempt"
  case undoWithin = "ROLLBACK TO SAVEPOINT attempt"
}
