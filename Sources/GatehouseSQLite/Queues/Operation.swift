import GatehouseAccounts

/// A caller's transaction on its way to a thread of the store's.
struct Operation: Sendable {
  /// Runs the caller's closure, and keeps what came of it until it may be told.
  let run: @Sendable (any StoreTransaction) -> Outcome
  /// Tells the caller that the operation had no effect.
  let refuse: @Sendable (StoreError) -> Void

  /// What came of one operation.
  struct Outcome {
    /// What the closure threw.
    let failure: (any Error)?
    /// Tells the caller. A refusal waits for the commit like a success: it may rest on what an
    /// earlier operation of the same transaction wrote.
    let answer: () -> Void
  }

  init<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    answering continuation: CheckedContinuation<Result, any Error>
  ) {
    run = { transaction in
      do {
        let result = try body(transaction)
        return Outcome(failure: nil) { continuation.resume(returning: result) }
      } catch {
        return Outcome(failure: error) { continuation.resume(throwing: error) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }
}
