package import Foundation
package import GatehouseModel

/// How often something was tried lately: what the rate limit counts.
package protocol AttemptRecords {
  func attempts(_ counter: AttemptCounter, in project: ProjectID) throws -> Attempts?

  /// Replaces the counter's row.
  func save(_ attempts: Attempts, of counter: AttemptCounter, in project: ProjectID) throws

  /// No effect if there is none.
  func deleteAttempts(_ counter: AttemptCounter, in project: ProjectID) throws

  /// Removes at most `limit` counters whose window ended before `now`; answers how many went.
  func sweepAttempts(now: Date, limit: Int) throws -> Int
}
