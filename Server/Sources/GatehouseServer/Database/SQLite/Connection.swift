import GRDB
import GRDBSQLite
import Synchronization

/// Runs statements on one connection with SQLite's own interface.
///
/// GRDB opens the connection, serializes its use and caches its prepared statements. What it adds
/// to each step (observers, rows by name, conversions) isn't used: it would slow every sign-in
/// down.
@safe struct Connection: SQLConnection {
  private let database: Database
  private let handle: OpaquePointer
  private let damage: DamageMark?

  /// - Parameter damage: Gets the first error that shows a damaged file.
  init(_ database: Database, damage: DamageMark? = nil) throws {
    guard let handle = unsafe database.sqliteConnection else { throw StoreError.closed }
    self.database = database
    self.damage = damage
    unsafe self.handle = unsafe handle
  }

  /// False after SQLite has undone the transaction by itself, e.g. on a full disk.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// How many rows statements inserted, changed or deleted since the connection was opened. Wraps
  /// around.
  var totalChanges: Int32 { unsafe sqlite3_total_changes(handle) }

  /// The value of a pragma, as text.
  func pragma(_ text: String) throws -> String? {
    try String.fetchOne(database, sql: "PRAGMA \(text)")
  }

  /// The number of pages that commits wrote since the last call.
  func takePagesWritten() -> Int {
    var count: Int32 = 0
    var highest: Int32 = 0
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
    return Int(count)
  }

  /// Copies the write-ahead log into the database, as far as no reader needs it. A failure is
  /// ignored: the next checkpoint repeats it. Nothing is lost; the log is only longer.
  func checkpoint() {
    unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }

  @discardableResult
  func execute(
    _ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void
  ) throws -> Int {
    let statement: OpaquePointer
    do {
      unsafe statement = unsafe try database.cachedStatement(sql: sql).sqliteStatement
    } catch let error as DatabaseError {
      throw failure(error.extendedResultCode.rawValue, error.message)
    }
    defer { unsafe sqlite3_reset(statement) }
    var position: Int32 = 0
    for value in values {
      position += 1
      let code = unsafe bind(value, at: position, of: statement)
      guard code == SQLITE_OK else { throw failure(code) }
    }
    while true {
      let code = unsafe sqlite3_step(statement)
      switch code {
      case SQLITE_ROW: try row(SQLRow(unsafe RowReader(statement)))
      case SQLITE_DONE: return unsafe Int(sqlite3_changes(handle))
      default: throw failure(code)
      }
    }
  }

  private func failure(_ code: Int32) -> StoreError {
    failure(code, unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) })
  }

  private func failure(_ code: Int32, _ message: String?) -> StoreError {
    let error = StoreError(sqlite: code, message: message ?? "")
    if [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) { damage?.set(error) }
    return error
  }
}

/// Remembers that the file is damaged: only some operations meet the damage.
final class DamageMark: Sendable {
  private let first = Mutex<StoreError?>(nil)

  var error: StoreError? { first.withLock { $0 } }

  func set(_ error: StoreError) { first.withLock { $0 = $0 ?? error } }
}

/// Makes SQLite copy a bound value.
private let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

private func bind(
  _ value: SQLValue, at position: Int32, of statement: OpaquePointer
) -> Int32 {
  switch value {
  case .integer(let integer):
    return unsafe sqlite3_bind_int64(statement, position, integer)
  case .null:
    return unsafe sqlite3_bind_null(statement, position)
  case .text(var text):
    return text.withUTF8 { buffer in
      // An empty buffer may have no address, which would bind a null.
      guard let start = buffer.baseAddress else {
        return unsafe sqlite3_bind_text(statement, position, "", 0, copied)
      }
      return unsafe sqlite3_bind_text64(
        statement, position, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
        UInt64(buffer.count), copied, UInt8(SQLITE_UTF8))
    }
  case .blob(let bytes):
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else {
        return unsafe sqlite3_bind_zeroblob(statement, position, 0)
      }
      return unsafe sqlite3_bind_blob64(
        statement, position, start, UInt64(buffer.count), copied)
    }
  }
}

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
