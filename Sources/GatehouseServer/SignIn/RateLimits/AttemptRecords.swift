package import Foundation
package import GatehouseModel

/// The counters of the rate limiter.
package protocol AttemptRecords {
  func attempts(_ counter: AttemptCounter, in project: ProjectID) throws -> Attempts?

  /// Replaces the counter's row.
  func save(_ attempts: Attempts, of counter: AttemptCounter, in project: ProjectID) throws

  /// No effect if there is none.
  func deleteAttempts(_ counter: AttemptCounter, in project: ProjectID) throws

  /// Removes at most `limit` counters whose window ended before `now`; returns how many were
  /// removed.
  func sweepAttempts(now: Date, limit: Int) throws -> Int
}
