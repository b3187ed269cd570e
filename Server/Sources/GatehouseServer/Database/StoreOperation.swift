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
    answering continuation: CheckedContinuation<Committed<Result>, any Error>
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
          continuation.resume(returning: Committed(result: result, events: events))
        }
      } catch {
        return Outcome(failure: error) { continuation.resume(throwing: error) }
      }
    }
    refuse = { continuation.resume(throwing: $0) }
  }
}

/// The result of an operation that was committed, for its caller.
package struct Committed<Result: Sendable>: Sendable {
  let result: Result
  let events: [Event]

  /// Reports the events, and returns the result. Called by the caller's task: whoever takes the reports may be slow, and
  /// the store's threads serve everyone.
  func reported() -> Result {
    if let report = EventOrigin.current.committed { events.forEach(report) }
    return result
  }
}
