import CPostgres
import GatehouseAccounts
import GatehouseSQL

/// A connection to PostgreSQL, with the statements that it has prepared. For one thread.
@safe final class PostgresConnection: SQLConnection {
  private let handle: OpaquePointer
  /// The names of prepared statements, by their text in `GatehouseSQL`.
  private var prepared: [String: String] = [:]
  /// Why the transaction must be run again, if a statement failed for that.
  private(set) var transientFailure: PostgresFailure?

  /// Whether a statement broke a rule, such as that an address is unique.
  private(set) var hadConflict = false
  private(set) var savesEachStatement = false

  /// Connects, and waits until the connection is made.
  ///
  /// - Parameter url: `postgres://…`, with libpq's parameters (the manual, §34.1.1.2).
  /// - Throws: `StoreError.unavailable`.
  init(_ url: String) throws(StoreError) {
    guard let handle = unsafe PQconnectdb(url) else {
      throw StoreError.unavailable("libpq has no memory for a connection")
    }
    unsafe self.handle = unsafe handle
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      // libpq's own message doesn't contain the password.
      throw StoreError.unavailable(
        "no connection to PostgreSQL: \(unsafe Self.message(PQerrorMessage(handle)))")
    }
    // Notices would go to the standard error output.
    unsafe _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
  }

  deinit { unsafe PQfinish(handle) }

  var isUsable: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

  var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }

  /// Runs statements without values, in one round trip.
  func runAll(_ sql: String) throws {
    let result = unsafe PQexec(handle, sql)
    defer { unsafe PQclear(result) }
    try unsafe check(result)
  }

  /// Call this before a transaction.
  ///
  /// - Parameter savesEachStatement: Whether a statement that breaks a rule is undone alone. Otherwise
  ///   PostgreSQL refuses everything that follows in the transaction.
  func beginAttempt(savesEachStatement: Bool) {
    transientFailure = nil
    hadConflict = false
    self.savesEachStatement = savesEachStatement
  }

  @discardableResult
  func execute(
    _ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void
  ) throws -> Int {
    guard savesEachStatement else { return try perform(sql, values, row: row) }
    try runAll("SAVEPOINT statement")
    do {
      let count = try perform(sql, values, row: row)
      try runAll("RELEASE SAVEPOINT statement")
      return count
    } catch StoreError.conflict(let rule) {
      try runAll("ROLLBACK TO SAVEPOINT statement")
      throw StoreError.conflict(rule)
    }
  }

  private func perform(
    _ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void
  ) throws -> Int {
    let name = try prepare(sql)
    let result = unsafe run(name, values)
    defer { unsafe PQclear(result) }
    try unsafe check(result)
    guard let result = unsafe result else { return 0 }
    for number in 0..<(unsafe PQntuples(result)) {
      try row(SQLRow(unsafe PostgresRow(result, row: number)))
    }
    return unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
  }

  private func prepare(_ sql: String) throws -> String {
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    let result = unsafe PQprepare(handle, name, PostgresStatement.text(sql), 0, nil)
    defer { unsafe PQclear(result) }
    try unsafe check(result)
    prepared[sql] = name
    return name
  }

  /// Numbers are passed as text, texts and bytes as they are: a text may not end at its first zero
  /// byte.
  private func run(_ name: String, _ values: [SQLValue]) -> OpaquePointer? {
    var bytes: [UInt8] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    // Where each value begins; nil is null.
    var offsets: [Int?] = []
    for value in values {
      let (content, format): ([UInt8]?, Int32) =
        switch value {
        case .integer(let number): (Array("\(number)".utf8), 0)
        case .text(let text): (Array(text.utf8), 1)
        case .blob(let blob): (blob, 1)
        case .null: (nil, 0)
        }
      offsets.append(content.map { _ in bytes.count })
      lengths.append(Int32(clamping: content?.count ?? 0))
      formats.append(format)
      bytes += content ?? []
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      let start = unsafe UnsafeRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: CChar.self)
      let pointers = unsafe offsets.map { offset in
        unsafe offset.flatMap { unsafe start?.advanced(by: $0) }
      }
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        unsafe PQexecPrepared(
          handle, name, Int32(values.count), pointers.baseAddress, lengths, formats, 0)
      }
    }
  }

  private func check(_ result: OpaquePointer?) throws {
    switch unsafe PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
    default: break
    }
    let field = { (code: Int32) -> String? in
      unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
    }
    let connectionMessage = unsafe Self.message(PQerrorMessage(handle))
    let failure = PostgresFailure(
      state: field(GATEHOUSE_PG_DIAG_SQLSTATE) ?? "08006",
      message: field(GATEHOUSE_PG_DIAG_MESSAGE_PRIMARY) ?? connectionMessage,
      constraint: field(GATEHOUSE_PG_DIAG_CONSTRAINT_NAME))
    if failure.isTransient { transientFailure = failure }
    if case .conflict = failure.storeError { hadConflict = true }
    throw failure.storeError
  }

  /// One line.
  private static func message(_ text: UnsafeMutablePointer<CChar>?) -> String {
    let lines = unsafe text.map { unsafe String(cString: $0) } ?? ""
    return lines.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
