/// One of the two databases of a copy, on one connection.
package protocol SQLCopyEnd {
  var connection: any SQLConnection { get }

  /// - Returns: The table's columns, in any order.
  func columns(of table: SQLTable) throws -> [SQLTable.Column]

  /// The highest number that a row of a numbered table has had.
  func lastNumber(of table: SQLTable) throws -> Int64

  /// Gives new rows numbers above `number`.
  func setLastNumber(of table: SQLTable, to number: Int64) throws

  /// Runs `body` in a transaction that writes.
  func transaction(_ body: () throws -> Void) throws

  /// Runs `body` while no other process can write to the database. `body` sees everything that was
  /// committed before.
  ///
  /// - Throws: The errors of `body`, and an error if it isn't certain that nothing was written
  ///   meanwhile.
  func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result
}
