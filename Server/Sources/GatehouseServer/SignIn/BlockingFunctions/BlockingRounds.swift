import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Runs a transaction that may create an account or begin a session, and calls the project's blocking
  /// functions for it.
  ///
  /// The functions are called between transactions, never inside one. A transaction that lacks an answer
  /// is undone completely: it spends, counts and writes nothing. With the answer it runs again. If the
  /// project has no functions, the transaction runs once.
  ///
  /// - Parameter limiter: Counts the attempt once, whatever its result.
  /// - Throws: ``AccountsError/blockedByFunction(_:)``; ``AccountsError/tooManyAttempts`` if functions
  ///   refused too many requests of the client; ``AccountsError/overloaded`` if the account changes faster
  ///   than the functions answer; and what `body` throws.
  func write<Value: Sendable>(
    asking context: BlockingContext, countedBy limiter: RateLimiter = .none, in project: Project,
    now: Date,
    _ body: @escaping @Sendable (Transaction, BlockingGate) throws -> Value
  ) async throws -> Value {
    var gate = BlockingGate(context, of: project)
    while true {
      do {
        return try await write(countedBy: limiter, in: project, now: now) { [gate] transaction in
          try body(transaction, gate)
        }
      } catch let question as BlockingQuestion {
        if gate.isExhausted { throw AccountsError.overloaded }
        gate.add(try await verdict(on: question, in: project, now: now), to: question)
      }
    }
  }

  /// Asks the function. Refusals are counted for the client address, so that an attacker can't call the
  /// function, or guess its rules, without end. Failures aren't counted: users must not be locked out for
  /// longer than the function is down.
  private func verdict(
    on question: BlockingQuestion, in project: Project, now: Date
  ) async throws -> Result<BlockingChanges, AccountsError> {
    guard let function = project.blockingFunctions[question.trigger] else {
      return .success(BlockingChanges())
    }
    let limiter = RateLimiter.functionRefusal(
      from: question.context.client, under: project.policies.rateLimits)
    try await store.read { try limiter.check($0, in: project.id, now: now) }
    switch await blockingFunctions.ask(function, question, in: project, now: now) {
    case .allowed(let changes): return .success(changes)
    case .refused(let refusal):
      return .failure(
        try await self.refusal(
          .blockedByFunction(refusal), countedBy: limiter, in: project, now: now))
    case .failed(let refusal):
      switch function.onFailure {
      case .allow: return .success(BlockingChanges())
      case .refuse: return .failure(.blockedByFunction(refusal))
      }
    }
  }
}
