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

/// Reads one row of a result, whose values are in PostgreSQL's text format.
@safe struct PostgresRow: SQLRowReader {
  private let result: OpaquePointer
  private let row: Int32

  init(_ result: OpaquePointer, row: Int32) {
    unsafe self.result = unsafe result
    self.row = row
  }

  func isNull(at position: Int32) -> Bool { unsafe PQgetisnull(result, row, position) != 0 }

  /// A boolean, such as the result of a comparison in a `SELECT`, is read as 0 or 1.
  func integer(at position: Int32) -> Int64 {
    let text = String(decoding: bytes(at: position), as: UTF8.self)
    return text == "t" ? 1 : Int64(text) ?? 0
  }

  func text(at position: Int32) throws -> String {
    guard let text = String(validating: bytes(at: position), as: UTF8.self) else {
      throw StoreError.damaged("column \(position) isn't UTF-8")
    }
    return text
  }

  /// Two hexadecimal digits for each byte, after `\x` (PostgreSQL's manual, §8.4.1).
  func blob(at position: Int32) -> [UInt8] {
    let digits = bytes(at: position).dropFirst(2)
    var blob: [UInt8] = []
    blob.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value = digit <= UInt8(ascii: "9") ? digit &- 0x30 : (digit | 0x20) &- 0x57
      if let first = high {
        blob.append(first << 4 | value & 0x0F)
        high = nil
      } else {
        high = value & 0x0F
      }
    }
    return blob
  }

  private func bytes(at position: Int32) -> [UInt8] {
    let count = unsafe Int(PQgetlength(result, row, position))
    guard let start = unsafe PQgetvalue(result, row, position), count > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
