/// Waiting for another request or for the outbox, whose result can only be asked for.
enum Polling {
  /// Each wait takes 100 milliseconds, so all together take fifteen seconds: longer than a request to a
  /// provider may take.
  private static let maximumWaits = 150

  /// - Returns: The first value that `ask` returns; nil if there is none within fifteen seconds.
  static func first<Value: Sendable>(
    _ ask: () async throws -> Value?
  ) async throws -> Value? {
    for _ in 0..<maximumWaits {
      if let value = try await ask() { return value }
      try await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }
}
