import GRDBSQLite
import GatehouseAccounts

import struct Foundation.Date

/// The row at which a statement stands, read by its columns or their positions. Good only inside the
/// closure that receives it.
@safe struct SQLRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    unsafe self.statement = unsafe statement
  }

  func isNull(_ column: some SQLPosition) -> Bool {
    unsafe sqlite3_column_type(statement, column.position) == SQLITE_NULL
  }

  func integer(_ column: some SQLPosition) -> Int64 {
    unsafe sqlite3_column_int64(statement, column.position)
  }

  func flag(_ column: some SQLPosition) -> Bool { integer(column) != 0 }

  func time(_ column: some SQLPosition) -> Date { Date(milliseconds: integer(column)) }

  func text(_ column: some SQLPosition) throws -> String {
    guard let bytes = unsafe sqlite3_column_text(statement, column.position) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(statement, column.position))
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    guard let text = unsafe String(validating: buffer, as: UTF8.self) else {
      throw StoreError.damaged("column \(column.position) isn't UTF-8")
    }
    return text
  }

  func blob(_ column: some SQLPosition) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(statement, column.position) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(statement, column.position))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  func optionalText(_ column: some SQLPosition) throws -> String? {
    isNull(column) ? nil : try text(column)
  }

  func optionalBlob(_ column: some SQLPosition) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  func optionalTime(_ column: some SQLPosition) -> Date? { isNull(column) ? nil : time(column) }

  func optionalFlag(_ column: some SQLPosition) -> Bool? { isNull(column) ? nil : flag(column) }

  /// Reads a text with an initializer that checks it.
  ///
  /// - Throws: `StoreError.damaged`, which names `what`, if the initializer returns nil.
  func value<Value>(_ column: some SQLPosition, _ what: String, _ make: (String) -> Value?) throws
    -> Value
  {
    guard let value = make(try text(column)) else {
      throw StoreError.damaged("a stored \(what) can't be read")
    }
    return value
  }
}
