import Logging

/// The steps of a server's periodic work.
struct Attempts: Sendable {
  /// What the log says if a step fails.
  let failure: Logger.Message
  let logger: Logger

  /// Logs a failure, without stopping the server; the next round tries again.
  ///
  /// - Returns: Nil if the step failed.
  @discardableResult
  func callAsFunction<Result>(
    _ step: String, _ body: () async throws -> Result
  ) async -> Result? {
    do {
      return try await body()
    } catch {
      logger.error(failure, metadata: ["step": "\(step)", "error": "\(error)"])
      return nil
    }
  }
}
