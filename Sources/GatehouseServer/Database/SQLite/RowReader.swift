import GRDBSQLite

/// Reads the row at which a statement of SQLite stands.
@safe struct RowReader: SQLRowReader {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    unsafe self.statement = unsafe statement
  }

  func isNull(at position: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, position) == SQLITE_NULL
  }

  func integer(at position: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, position) }

  func text(at position: Int32) throws -> String {
    guard let bytes = unsafe sqlite3_column_text(statement, position) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(statement, position))
    // SQLite ends the text with a zero. `String(validating:as:)` looks up types at run time, and takes
    // three times the instructions.
    let text = unsafe String(
      validatingCString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))
    guard let text, text.utf8.count == count else {
      throw StoreError.damaged("column \(position) isn't UTF-8, or contains U+0000")
    }
    return text
  }

  func blob(at position: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(statement, position) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(statement, position))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
