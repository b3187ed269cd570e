import GRDBSQLite
import GatehouseAccounts

import struct Foundation.Date

/// The current row of a statement, read by the positions of its columns. Valid only inside the
/// closure that receives it.
@safe struct SQLRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) {
    unsafe self.statement = unsafe statement
  }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(statement, column)
  }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  func time(_ column: Int32) -> Date { Date(milliseconds: integer(column)) }

  func text(_ column: Int32) throws -> String {
    guard let bytes = unsafe sqlite3_column_text(statement, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    guard let text = unsafe String(validating: buffer, as: UTF8.self) else {
      throw StoreError.damaged("column \(column) isn't UTF-8")
    }
    return text
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  func optionalText(_ column: Int32) throws -> String? {
    isNull(column) ? nil : try text(column)
  }

  func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  func optionalTime(_ column: Int32) -> Date? { isNull(column) ? nil : time(column) }

  func optionalFlag(_ column: Int32) -> Bool? { isNull(column) ? nil : flag(column) }

  /// Reads a text with an initializer that checks it.
  ///
  /// - Throws: `StoreError.damaged`, which names `what`, if the initializer returns nil.
  func value<Value>(_ column: Int32, _ what: String, _ make: (String) -> Value?) throws -> Value {
    guard let value = make(try text(column)) else {
      throw StoreError.damaged("a stored \(what) can't be read")
    }
    return value
  }
}
