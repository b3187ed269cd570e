import CPostgres
import Foundation
import Metrics

/// A connection to PostgreSQL, for one thread.
///
/// It uses libpq's pipeline mode (PostgreSQL's manual, §34.5): it collects statements, and sends
/// them together when the result of one is needed. A transaction costs one round trip for each read
/// that wasn't announced, and one for its writes and the commit.
@safe final class PostgresConnection: SQLConnection {
  private let handle: OpaquePointer
  private let shared: PostgresShared
  private let pipeline: PostgresPipeline

  /// Statements that wait for the next round trip.
  private var waiting: [SQLQuery] = []
  /// Results of announced queries that the transaction has not asked for yet.
  private var foreseen: [SQLQuery: PostgresResult] = [:]
  private var foreseenKeys: [SQLQuery] = []
  /// Keys of projects that this transaction read.
  private var learnedKeys: [String: Int64] = [:]
  private var trustsSharedKeys = true
  private var mode = PostgresTransactionMode.read
  private var demandedPrefix: String?
  private var deadline: ContinuousClock.Instant?
  /// The generation of the shared keys when the transaction began.
  private var keyGeneration = 0
  /// How long a statement may take. Nil for commands and copies: no limit.
  var statementSeconds: Int?
  /// The last limit that was set at the server, which applies to each statement separately.
  private var statementLimit = Duration.zero

  private(set) var state = TransactionState.none
  /// Why this attempt failed: the first failure that wasn't a violated constraint. If all were, the
  /// last one.
  private(set) var failure: PostgresFailure?
  /// Whether a statement violated a constraint, such as that an address is unique.
  private(set) var hadConflict = false
  private(set) var savesEachStatement = false

  enum TransactionState: Hashable {
    /// Nothing was sent.
    case none
    case begun
    /// The transaction may have written, after the savepoint `operation`.
    case written
    /// Until the response arrives, it isn't known whether the transaction is durable.
    case committing
  }

  /// The maximum number of statements that are sent together. With many more, client and server
  /// could each wait for the other to read.
  private static let greatestBatch = 100
  /// How long after the deadline the connection counts as lost. The server ends a statement sooner.
  private static let grace = Duration.seconds(1)

  /// Connects, and waits until the connection is established.
  ///
  /// - Throws: `StoreError.unavailable`.
  init(_ address: PostgresAddress, shared: PostgresShared = PostgresShared()) throws(StoreError) {
    let parameters = address.connectionParameters(
      environment: ProcessInfo.processInfo.environment)
    guard
      let handle = unsafe CStrings.with(
        parameters.map(\.0),
        { names in
          unsafe CStrings.with(parameters.map(\.1)) { values in
            unsafe PQconnectdbParams(names, values, 1)
          }
        })
    else {
      throw StoreError.unavailable("libpq has no memory for a connection")
    }
    unsafe self.handle = unsafe handle
    self.shared = shared
    statementSeconds = address.statementSeconds
    pipeline = unsafe PostgresPipeline(handle)
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      // libpq's own message doesn't contain the password.
      throw StoreError.unavailable(
        "no connection to PostgreSQL: \(unsafe PostgresFailure.line(PQerrorMessage(handle)))")
    }
    // Without this call, libpq writes notices to standard error.
    unsafe _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
    // Sending must not wait without a limit, either.
    _ = unsafe PQsetnonblocking(handle, 1)
    guard unsafe PQenterPipelineMode(handle) == 1 else {
      throw StoreError.unavailable("libpq has no pipeline mode for the connection")
    }
  }

  deinit { unsafe PQfinish(handle) }

  /// Runs statements without values, of a migration or of a tool. No statement may wait in the
  /// pipeline.
  func script(_ sql: String) throws {
    pipeline.drain()
    guard unsafe PQexitPipelineMode(handle) == 1 else {
      throw StoreError.unavailable("libpq's pipeline isn't empty")
    }
    let result = unsafe PostgresResult(PQexec(handle, sql))
    _ = unsafe PQenterPipelineMode(handle)
    if let failure = unsafe result.failure(of: handle) { throw failure.storeError }
  }

  /// Runs the query of a tool, and returns its rows.
  func rows(_ sql: String) throws -> [[String]] {
    begin(.write, savesEachStatement: false)
    let result = try flush(with: SQLQuery(text: sql))
    try commit()
    return result.texts
  }

  /// Continues the transaction that a script began.
  func adoptTransaction() {
    begin(.write, savesEachStatement: false)
    state = .written
  }

  /// Also false for a connection that was given up because the server didn't respond. libpq's
  /// status doesn't show that.
  var isUsable: Bool { unsafe PQstatus(handle) == CONNECTION_OK && !pipeline.isBroken }

  // MARK: A transaction

  /// Call this before a transaction.
  ///
  /// - Parameter savesEachStatement: Whether a statement that violates a constraint is undone
  ///   alone, and its error thrown where it runs. Otherwise PostgreSQL rejects all later statements
  ///   of the transaction.
  /// - Parameter deadline: The time at which the server ends a statement. If the server hasn't
  ///   responded a second later, the connection counts as lost. Nil: no limit.
  /// - Parameter walPrefix: The beginning of the names of the log's files, on the timeline that the primary must
  ///   have. Otherwise the transaction fails before any other statement (``PostgresFailure/isOfAnotherTimeline``).
  func begin(
    _ mode: PostgresTransactionMode, savesEachStatement: Bool,
    until deadline: ContinuousClock.Instant? = nil, demanding walPrefix: String? = nil
  ) {
    self.mode = mode
    demandedPrefix = walPrefix
    self.deadline = deadline
    pipeline.limit = deadline.map { $0 + Self.grace }
    self.savesEachStatement = savesEachStatement
    state = .none
    failure = nil
    hadConflict = false
    waiting = []
    foreseen = [:]
    foreseenKeys = []
    learnedKeys = [:]
    trustsSharedKeys = true
    keyGeneration = shared.keyGeneration
  }

  private static let commitTimer = Metric.commitSeconds.timer()

  /// Sends the waiting statements, and commits.
  func commit() throws {
    defer { foreseen = [:] }
    // Nothing was read, and nothing is to be written.
    if state == .none && waiting.isEmpty { return }
    let start = ContinuousClock.now
    let result = try flush(with: SQLQuery(text: "COMMIT"), isCommit: true)
    Self.commitTimer.record(.now - start)
    state = .none
    // If a statement failed before, the server rolls the transaction back and doesn't report an
    // error.
    guard result.command == "COMMIT" else { throw note(.rolledBack).storeError }
    if trustsSharedKeys {
      shared.remember(learnedKeys, readIn: keyGeneration)
    } else {
      shared.forgetKeys()
    }
  }

  /// Ends a transaction that wrote nothing, without waiting for the response.
  func endReading() {
    waiting = []
    foreseen = [:]
    guard state != .none else { return }
    state = .none
    pipeline.add("COMMIT", [], named: nil)
    pipeline.sendWithoutWaiting()
    if trustsSharedKeys { shared.remember(learnedKeys, readIn: keyGeneration) }
  }

  /// Rolls back what a failed operation wrote. The commit must still confirm what it read.
  func undoOperation() throws {
    waiting = []
    guard state == .written else { return }
    _ = try flush(with: SQLQuery(text: "ROLLBACK TO SAVEPOINT operation"))
  }

  func rollBack() throws {
    waiting = []
    foreseen = [:]
    guard state != .none else { return }
    state = .none
    pipeline.add("ROLLBACK", [], named: nil)
    do throws(PostgresFailure) {
      _ = try pipeline.run()
    } catch {
      throw note(error).storeError
    }
  }

  // MARK: Statements

  var isRemote: Bool { true }

  var defersErrors: Bool { !savesEachStatement }

  func expect(_ queries: [SQLQuery]) {
    guard !savesEachStatement else { return }
    for query in queries
    where foreseen[query] == nil && !foreseenKeys.contains(query) && !query.isVain {
      foreseenKeys.append(query)
    }
  }

  func send(_ sql: String, _ values: [SQLValue]) throws {
    try checkMode(sql)
    guard !savesEachStatement else {
      try execute(sql, values) { _ in }
      return
    }
    dropForeseen(after: sql)
    waiting.append(SQLQuery(text: sql, values: values))
    if waiting.count >= Self.greatestBatch {
      let last = waiting.removeLast()
      _ = try flush(with: last)
    }
  }

  @discardableResult
  func execute(
    _ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void
  ) throws -> Int {
    try checkMode(sql)
    let query = SQLQuery(text: sql, values: values)
    if let known = foreseen.removeValue(forKey: query) { return try known.read(row) }
    // A savepoint that this statement creates would end with the savepoint around the statement.
    guard savesEachStatement, !Self.isAboutSavepoints(sql) else {
      dropForeseen(after: sql)
      return try flush(with: query).read(row)
    }
    _ = try flush(with: SQLQuery(text: "SAVEPOINT statement"))
    do {
      let count = try flush(with: query).read(row)
      _ = try flush(with: SQLQuery(text: "RELEASE SAVEPOINT statement"))
      return count
    } catch StoreError.conflict(let rule) {
      _ = try flush(with: SQLQuery(text: "ROLLBACK TO SAVEPOINT statement"))
      throw StoreError.conflict(rule)
    }
  }

  /// Discards announced queries whose results the write may change.
  private func dropForeseen(after sql: String) {
    guard !Self.isRead(sql), !foreseen.isEmpty || !foreseenKeys.isEmpty else { return }
    let table = Self.table(writtenBy: sql)
    let isTouched = { (query: SQLQuery) in table.map { query.sql.contains(bytesOf: $0) } ?? true }
    foreseen = foreseen.filter { !isTouched($0.key) }
    foreseenKeys.removeAll(where: isTouched)
  }

  /// Checked here: if PostgreSQL rejected the write, the error would look like the error of a
  /// standby.
  private func checkMode(_ sql: String) throws {
    guard case .read = mode else { return }
    if ["INSERT", "UPDATE", "DELETE"].contains(where: sql.hasPrefix) { throw StoreError.readOnly }
  }

  private static func isRead(_ sql: String) -> Bool { sql.hasPrefix("SELECT") }

  private static func isAboutSavepoints(_ sql: String) -> Bool {
    ["SAVEPOINT", "RELEASE", "ROLLBACK TO"].contains(where: sql.hasPrefix)
  }

  /// Nil if rows of several tables may change: a `DELETE` may also delete rows that refer to its
  /// rows.
  private static func table(writtenBy sql: String) -> String? {
    let words = sql.split(separator: " ", maxSplits: 3)
    guard words.count > 2 else { return nil }
    return switch words[0] {
    case "INSERT": String(words[2])
    case "UPDATE": String(words[1])
    default: nil
    }
  }

  // MARK: Round trips

  /// Sends the waiting statements, the announced queries and `last`.
  ///
  /// - Returns: The result of `last`.
  private func flush(with last: SQLQuery, isCommit: Bool = false) throws -> PostgresResult {
    let isFirst = state == .none
    if isFirst {
      pipeline.add(mode.begin, [], named: nil)
      add(start())
    } else if let renewal = renewal(before: last) {
      add(renewal)
    }
    let writes = !waiting.isEmpty || !Self.isRead(last.sql)
    if writes, !isCommit, state != .written { pipeline.add("SAVEPOINT operation", [], named: nil) }
    state = isCommit ? .committing : state == .written || writes ? .written : .begun
    for query in waiting { add(query) }
    let ahead = isCommit ? [] : foreseenKeys.filter { $0 != last }
    for query in ahead { add(query) }
    add(last)
    // A rollback to the savepoint also undoes a limit that was set since.
    if (waiting + [last]).contains(where: Self.undoesSavepoint) { statementLimit = .zero }
    waiting = []
    foreseenKeys = []
    let results: [PostgresResult]
    shared.countRoundTrip()
    do throws(PostgresFailure) {
      results = try pipeline.run()
    } catch {
      throw note(error).storeError
    }
    // The first result is that of `BEGIN`.
    if isFirst, results.count > 1, results[1].texts.first?.first != "f" {
      throw note(.atStandby).storeError
    }
    for (query, result) in zip(ahead, results.suffix(ahead.count + 1)) { foreseen[query] = result }
    return results[results.count - 1]
  }

  /// The query that is sent with `BEGIN`. It sets the transaction's limits, and asks whether the
  /// server is a standby.
  ///
  /// The limits end with the transaction, because a pooler may give the connection to another
  /// client. After a failover a pooler may lead to a standby. A standby would respond to reads, but
  /// may not know yet that a session was ended.
  ///
  /// Without `enable_seqscan = off` PostgreSQL reads a small table from its beginning to its end. A
  /// serializable transaction that did so conflicts with every write to that table; one that used an
  /// index conflicts only with writes to the same page. The setting makes the estimated cost of an
  /// unavoidable scan so high that PostgreSQL would compile the query; `jit = off` prevents that.
  private func start() -> SQLQuery {
    let longest = statementSeconds.map { Duration.seconds($0) }
    statementLimit = [longest, rest].compactMap(\.self).min() ?? .zero
    let limits = [Self.milliseconds(statementLimit), Self.milliseconds(longest ?? .zero)]
    guard let demandedPrefix else { return SQLQuery(text: Self.startSQL, values: limits) }
    return SQLQuery(
      text: Self.startSQL + Self.timelineSQL, values: limits + [.text(demandedPrefix)])
  }

  private static let startSQL = """
    SELECT pg_is_in_recovery(), set_config('statement_timeout', ?, true),
      set_config('idle_in_transaction_session_timeout', ?, true),
      set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
    """
  /// An error, so that the server ignores the statements that were sent with this one: the commit could be
  /// among them. A database without timelines lacks these functions, so the text is sent only if one is
  /// demanded.
  private static let timelineSQL = """
    , 1 / CASE WHEN pg_is_in_recovery() THEN 1
      WHEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) = ? THEN 1 ELSE 0 END
    """

  /// The query that lowers the server's limit before later statements. The limit applies to each
  /// statement separately, so the last one could otherwise run long after the deadline. Nil while
  /// the limit is about right.
  private func renewal(before last: SQLQuery) -> SQLQuery? {
    // After a failed statement, PostgreSQL accepts only a rollback to a savepoint.
    guard let rest, !Self.undoesSavepoint(last),
      statementLimit == .zero || statementLimit > rest + Self.grace / 2
    else { return nil }
    statementLimit = rest
    return SQLQuery(
      text: "SELECT set_config('statement_timeout', ?, true)", values: [Self.milliseconds(rest)])
  }

  /// The time until the deadline, at least a millisecond: zero would be no limit.
  private var rest: Duration? { deadline.map { max(.milliseconds(1), $0 - .now) } }

  private static func milliseconds(_ duration: Duration) -> SQLValue {
    .text("\(Int((duration / .milliseconds(1)).rounded(.up)))")
  }

  private static func undoesSavepoint(_ query: SQLQuery) -> Bool {
    query.sql.hasPrefix("ROLLBACK TO")
  }

  /// The operation may have handled a conflict. Then a later failure decides whether the
  /// transaction runs again.
  private func note(_ error: PostgresFailure) -> PostgresFailure {
    if failure.map(\.isConflict) ?? true { failure = error }
    if error.isConflict { hadConflict = true }
    return error
  }

  private func add(_ query: SQLQuery) {
    // Statements without values, such as `COMMIT`, are cheap to parse.
    let isPrepared = shared.preparesStatements && !query.values.isEmpty
    pipeline.add(query.sql, query.values, named: isPrepared ? shared.name(of: query.sql) : nil)
  }

  // MARK: Keys of projects

  func rememberedKey(ofProject id: String) -> Int64? {
    trustsSharedKeys ? learnedKeys[id] ?? shared.key(ofProject: id) : nil
  }

  func remember(_ key: Int64, ofProject id: String) { learnedKeys[id] = key }

  func forgetProjectKeys() {
    learnedKeys = [:]
    trustsSharedKeys = false
  }
}

extension String {
  /// Like `contains`, but compares bytes and not characters, because it runs for every write.
  fileprivate func contains(bytesOf part: String) -> Bool {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard part.count > 0, part.count <= text.count else { return part.isEmpty }
    for start in 0...(text.count - part.count) where text[start] == part[0] {
      var length = 1
      while length < part.count, text[start + length] == part[length] { length += 1 }
      if length == part.count { return true }
    }
    return false
  }
}

/// How a transaction begins.
enum PostgresTransactionMode {
  case read, write

  var begin: String {
    switch self {
    case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    case .write: "BEGIN ISOLATION LEVEL SERIALIZABLE"
    }
  }
}
