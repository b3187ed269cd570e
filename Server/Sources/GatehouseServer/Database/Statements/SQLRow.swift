import struct Foundation.Date

/// Reads the values of the current row of a statement. Positions begin at 0.
package protocol SQLRowReader {
  func isNull(at position: Int32) -> Bool
  func integer(at position: Int32) -> Int64
  /// - Throws: `StoreError.damaged` if the bytes aren't UTF-8.
  func text(at position: Int32) throws -> String
  func blob(at position: Int32) -> [UInt8]
}

/// The current row of a statement, read by columns or positions. Valid only inside the closure that
/// receives it.
package struct SQLRow {
  private let reader: any SQLRowReader

  package init(_ reader: any SQLRowReader) { self.reader = reader }

  package func isNull(_ column: some SQLPosition) -> Bool { reader.isNull(at: column.position) }

  package func integer(_ column: some SQLPosition) -> Int64 { reader.integer(at: column.position) }

  func flag(_ column: some SQLPosition) -> Bool { integer(column) != 0 }

  func time(_ column: some SQLPosition) -> Date { Date(milliseconds: integer(column)) }

  package func text(_ column: some SQLPosition) throws -> String {
    try reader.text(at: column.position)
  }

  package func blob(_ column: some SQLPosition) -> [UInt8] { reader.blob(at: column.position) }

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
