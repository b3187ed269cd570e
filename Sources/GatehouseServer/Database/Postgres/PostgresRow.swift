import CPostgres

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
