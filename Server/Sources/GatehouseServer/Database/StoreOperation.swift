/// A caller's transaction that waits for one of the store's threads.
package struct StoreOperation: Sendable {
  /// Runs the caller's closure, and keeps its outcome until it may be returned.
  package let run: @Sendable (Transaction) -> Outcome
  /// Tells the caller that the operation had no effect.
  package let refuse: @Sendable (StoreError) -> Void

  /// The outcome of one operation.
  package struct Outcome {
    /// The error that the closure threw.
    package let failure: (any Error)?
    /// Returns the result or error to the caller. An error waits for the commit like a success: it
    /// may depend on what an earlier operation of the same transaction wrote.
    package let answer: () -> Void
  }

  package init<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result,
    answering continuation: CheckedContinuation<Result, any Error>
  ) {
    // The store's threads belong to no task, so the caller's origin is kept here for the events of
    // the operation.
    let origin = EventOrigin.current
    run = { transaction in
      do {
        transaction.events = []
        let result = try EventOrigin.$current.withValue(origin) { try body(transaction) }
        let events = transaction.events
        return Outcome(failure: nil) {
          if let committed = origin.committed { events.forEach(committed) }
          continuation.resume(returning: result)
        }
      } catch {
        return Outcome(failure: error) { continuation.resume(throwing: error) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }
}
