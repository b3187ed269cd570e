package import Foundation
package import GatehouseProtocol

enum AttemptSQL: String, SQLStatement {
  case attempts = """
    SELECT count, ends_at FROM attempts WHERE project = ? AND kind = ? AND owner = ?
    """
  case save = """
    INSERT INTO attempts (project, kind, owner, count, ends_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (project, kind, owner) DO UPDATE SET
      count = excluded.count, ends_at = excluded.ends_at
    """
  case delete = "DELETE FROM attempts WHERE project = ? AND kind = ? AND owner = ?"
  case sweep = """
    DELETE FROM attempts WHERE (project, kind, owner) IN (
      SELECT project, kind, owner FROM attempts WHERE ends_at < ? ORDER BY ends_at LIMIT ?)
    """
}

extension Transaction {
  package func attempts(_ counter: AttemptCounter, in project: ProjectID) throws -> Attempts? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      AttemptSQL.attempts, .integer(key), .text(counter.kind.rawValue), .blob(counter.owner)
    ) { Attempts(count: Int($0.integer(0)), endsAt: $0.time(1)) }
  }

  /// Replaces the counter's row.
  package func save(_ attempts: Attempts, of counter: AttemptCounter, in project: ProjectID) throws
  {
    try connection.run(
      AttemptSQL.save, .integer(try existingKey(of: project)), .text(counter.kind.rawValue),
      .blob(counter.owner), .integer(Int64(attempts.count)), .time(attempts.endsAt))
  }

  /// No effect if there is none.
  package func deleteAttempts(_ counter: AttemptCounter, in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      AttemptSQL.delete, .integer(key), .text(counter.kind.rawValue), .blob(counter.owner))
  }

  /// Removes at most `limit` counters whose window ended before `now`; returns how many were
  /// removed.
  package func sweepAttempts(now: Date, limit: Int) throws -> Int {
    try connection.change(AttemptSQL.sweep, .time(now), .integer(Int64(max(limit, 0))))
  }
}
