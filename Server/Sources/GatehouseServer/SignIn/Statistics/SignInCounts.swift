package import Foundation
import GatehouseProtocol
import Synchronization

/// How many people signed up, signed in and were refused, by project, day and method. Kept in memory, and added to the
/// table from time to time: a sign-in doesn't wait for a count. What a server counted since is lost if it is killed.
package final class SignInCounts: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case signUp, signIn, failure

    fileprivate var outcome: SignInOutcome {
      switch self {
      case .signUp: .signedUp
      case .signIn: .signedIn
      case .failure: .refused
      }
    }
  }

  struct Key: Hashable {
    let project: ProjectID
    /// Days since 1970, in UTC.
    let day: Int64
    let kind: Kind
    /// A provider's id, `password`, `phone`, `passkey`, `custom`, `anonymous`, or `other`.
    let method: String
  }

  /// How long counts are kept. Days.
  package static let keptDays = 400
  /// Projects times methods: above it, nothing new is counted until the next ``store(in:)``.
  private static let limit = 10_000

  private let counts = Mutex<[Key: Int64]>([:])

  package init() { _ = SignInOutcome.counters }

  func add(_ kind: Kind, _ method: String, in project: ProjectID, now: Date) {
    kind.outcome.count(ProviderID(method))
    let key = Key(project: project, day: Self.day(of: now), kind: kind, method: method)
    counts.withLock { counts in
      guard counts.count < Self.limit || counts[key] != nil else { return }
      counts[key, default: 0] += 1
    }
  }

  /// Adds what was counted since to the table.
  package func store(in store: any Store) async throws {
    let counted = counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
    guard !counted.isEmpty else { return }
    do {
      try await store.write { transaction in
        for (key, count) in counted { try transaction.add(count, to: key) }
      }
    } catch {
      counts.withLock { $0.merge(counted, uniquingKeysWith: +) }
      throw error
    }
  }

  static func day(of date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 / 86_400).rounded(.down))
  }
}

enum SignInCountSQL: String, SQLStatement {
  case add = """
    INSERT INTO sign_in_counts (project, day, kind, method, count) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (project, day, kind, method) DO UPDATE SET count = sign_in_counts.count + excluded.count
    """
  case since = """
    SELECT day, kind, method, count FROM sign_in_counts WHERE project = ? AND day > ?
    ORDER BY day, kind, method
    """
  case sweep = "DELETE FROM sign_in_counts WHERE project = ? AND day <= ?"
}

extension Transaction {
  fileprivate func add(_ count: Int64, to key: SignInCounts.Key) throws {
    guard let project = try self.key(of: key.project) else { return }
    try connection.run(
      SignInCountSQL.add, .integer(project), .integer(key.day), .text(key.kind.rawValue),
      .text(key.method), .integer(count))
  }

  func signInCounts(
    since day: Int64, in project: ProjectID
  ) throws -> [(key: SignInCounts.Key, count: Int64)] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(SignInCountSQL.since, .integer(key), .integer(day)) { row in
      guard let kind = SignInCounts.Kind(rawValue: try row.text(1)) else {
        throw StoreError.damaged("a sign-in count's kind can't be read")
      }
      return (
        SignInCounts.Key(
          project: project, day: row.integer(0), kind: kind, method: try row.text(2)),
        row.integer(3)
      )
    }
  }

  /// Removes counts that are older than ``SignInCounts/keptDays``.
  package func sweepSignInCounts(now: Date) throws {
    for project in try projects() {
      guard let key = try key(of: project.id) else { continue }
      try connection.run(
        SignInCountSQL.sweep, .integer(key),
        .integer(SignInCounts.day(of: now) - Int64(SignInCounts.keptDays)))
    }
  }
}
