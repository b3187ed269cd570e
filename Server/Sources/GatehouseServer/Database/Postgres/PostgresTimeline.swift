package import Foundation

/// The history that a primary continues (PostgreSQL's manual, §26.3.5, “Timelines”).
///
/// A standby that is promoted begins a timeline with a greater number. So a primary with a smaller number than
/// that of a timeline that was in use lacks what was committed there: an old primary that is one again by
/// mistake, or a restored backup.
package struct PostgresTimeline: Hashable, Codable, Sendable {
  /// The database cluster's identifier, which a primary and its standbys share.
  package let system: String
  package let number: Int
  /// When an operator confirmed that this history is the one to keep, in seconds since 1970; 0 if never.
  /// Later confirmations win over greater numbers.
  package let confirmedAt: Int

  package init(system: String, number: Int, confirmedAt: Int) {
    self.system = system
    self.number = number
    self.confirmedAt = confirmedAt
  }

  /// Whether what was committed on `other` is missing here. Timelines of two clusters can't be compared: an
  /// operator has named another database.
  package func lacks(_ other: PostgresTimeline) -> Bool {
    system == other.system && (confirmedAt, number) < (other.confirmedAt, other.number)
  }

  /// The first eight characters of a file of the write-ahead log.
  var prefix: String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }
}

/// Where a server remembers across restarts the last timeline that it has used.
package protocol PostgresTimelineMemory: Sendable {
  /// Nil if it has used none.
  ///
  /// - Throws: `StoreError.unavailable` if it can't be read.
  func timeline() throws -> PostgresTimeline?
  /// Called when the server begins to use a timeline. A failure has no consequence before a restart.
  func remember(_ timeline: PostgresTimeline)
}

extension PostgresTimeline {
  /// The timeline of the primary, asked in a transaction of its own.
  ///
  /// - Returns: Nil if the database has no timelines: it only speaks PostgreSQL's protocol, or its operator
  ///   withholds these functions.
  static func read(_ connection: PostgresConnection, until deadline: ContinuousClock.Instant) throws
    -> PostgresTimeline?
  {
    connection.begin(.read, savesEachStatement: false, until: deadline)
    do {
      guard
        let (system, number) = try connection.first(
          SQL.timeline, read: { (try $0.text(0), Int($0.integer(1))) })
      else { return nil }
      let hasValues = try connection.first(SQL.hasValues) { $0.integer(0) } == 1
      let confirmed =
        try hasValues
        ? connection.first(ServerSQL.value, .text(confirmation)) { $0.blob(0) } : nil
      connection.endReading()
      return PostgresTimeline(
        system: system, number: number,
        confirmedAt: confirmed.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0)
    } catch {
      // An undefined function, one that the user may not call, or one that isn't supported.
      guard ["42883", "42501", "0A000"].contains(connection.failure?.state) else { throw error }
      try connection.rollBack()
      return nil
    }
  }

  /// Records that the history of the primary is the one to keep.
  ///
  /// - Throws: `StoreError.unavailable` if the primary has another timeline.
  package static func confirm(
    _ number: Int, at address: PostgresAddress, now: Date
  ) throws {
    let connection = try PostgresConnection(address)
    guard let found = try read(connection, until: address.deadline) else {
      throw StoreError.unavailable("\(address.name) has no timelines")
    }
    guard found.number == number else {
      throw StoreError.unavailable(
        "the primary of \(address.name) is on timeline \(found.number), not \(number). Nothing was changed"
      )
    }
    let time = max(Int(now.timeIntervalSince1970), found.confirmedAt + 1)
    connection.begin(.write, savesEachStatement: false, until: address.end)
    try connection.run(
      ServerSQL.setValue, .text(confirmation), .blob(Array(String(time).utf8)))
    try connection.commit()
  }

  package static func current(at address: PostgresAddress) throws -> PostgresTimeline? {
    try read(PostgresConnection(address), until: address.deadline)
  }

  /// The name of the server value with ``confirmedAt``.
  private static let confirmation = "timeline-confirmed-at"

  private enum SQL: String, SQLStatement {
    /// Not from the control file, which a promotion changes late.
    case timeline = """
      SELECT system_identifier::text,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint
      FROM pg_control_system()
      """
    case hasValues = "SELECT (to_regclass('server_values') IS NOT NULL)::int"
  }
}
