import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Counts an attempt, and then runs `body` in the same transaction. If `body` throws an error,
  /// what it wrote is undone, but the attempt stays counted: a refusal reveals something too.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, or the limit's own error, without running `body`; and
  ///   what `body` throws.
  func write<Value: Sendable>(
    countedBy limiter: RateLimiter, in project: Project, now: Date,
    _ body: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    guard !limiter.isNone else { return try await store.write(body) }
    return try await store.write { transaction in
      try limiter.count(transaction, in: project.id, now: now)
      let result = try transaction.attempt { try body(transaction) }
      // The transaction will run again, and the attempt is counted then.
      if case .failure(let question as BlockingQuestion) = result { throw question }
      return result
    }.get()
  }
}
