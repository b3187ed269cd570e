package import Foundation

/// Calls blocking functions.
package protocol BlockingFunctionCalls: Sendable {
  /// Asks a function, within its time and the limit of calls per project. Logs
  /// and counts what came of it.
  func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome
}

/// For programs that call no functions: each counts as one that can't be reached.
package struct NoBlockingFunctionCalls: BlockingFunctionCalls {
  package init() {}

  package func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome { .failed }
}
