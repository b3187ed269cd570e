package import Foundation

/// Calls blocking functions.
package protocol BlockingFunctionCalls: Sendable {
  /// Asks a function, within the time that it may take and the limit of calls per project. Counts the
  /// result for the metrics, and logs a failure.
  func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome
}

/// For programs that call no functions: every call fails, as if the function couldn't be reached.
package struct NoBlockingFunctionCalls: BlockingFunctionCalls {
  package init() {}

  package func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome { .failed(.failure) }
}
