import CPostgres

/// The result of one statement.
@safe final class PostgresResult {
  private let result: OpaquePointer?

  init(_ result: OpaquePointer?) { unsafe self.result = unsafe result }

  deinit { unsafe PQclear(result) }

  /// Whether the server ignored the statement, because an earlier one failed.
  var isAborted: Bool { unsafe PQresultStatus(result) == PGRES_PIPELINE_ABORTED }

  /// Nil if the statement succeeded.
  func failure(of connection: OpaquePointer) -> PostgresFailure? {
    switch unsafe PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC,
      PGRES_PIPELINE_ABORTED:
      return nil
    default: break
    }
    let field = { (code: Int32) -> String? in
      unsafe PQresultErrorField(self.result, code).map { unsafe String(cString: $0) }
    }
    let message = unsafe PostgresFailure.line(PQerrorMessage(connection))
    // If the connection is closed without an error message, there is no result, or it has no state.
    guard let state = field(GATEHOUSE_PG_DIAG_SQLSTATE) else { return .lost(message) }
    return PostgresFailure(
      state: state, message: field(GATEHOUSE_PG_DIAG_MESSAGE_PRIMARY) ?? message,
      constraint: field(GATEHOUSE_PG_DIAG_CONSTRAINT_NAME))
  }

  /// What the server did, such as `COMMIT`. The response to a `COMMIT` may be `ROLLBACK`.
  var command: String { unsafe String(cString: PQcmdStatus(result)) }

  /// Calls `row` for each row.
  ///
  /// - Returns: How many rows the statement changed.
  func read(_ row: (SQLRow) throws -> Void) throws -> Int {
    guard let result = unsafe result else { return 0 }
    for number in 0..<(unsafe PQntuples(result)) {
      try row(SQLRow(unsafe PostgresRow(result, row: number)))
    }
    return unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  /// All values, as PostgreSQL writes them.
  var texts: [[String]] {
    guard let result = unsafe result else { return [] }
    return (0..<(unsafe PQntuples(result))).map { row in
      (0..<(unsafe PQnfields(result))).map { column in
        unsafe String(cString: PQgetvalue(result, row, column))
      }
    }
  }
}
