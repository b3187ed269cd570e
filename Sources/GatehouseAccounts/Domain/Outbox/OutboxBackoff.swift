package import struct Foundation.TimeInterval

/// How long an entry waits after a failed attempt: exponential, with jitter.
package enum OutboxBackoff {
  /// After a crash of its worker, an entry waits for this long. The time is longer if the operator
  /// raised the time limit of calls to providers.
  package static let leaseSeconds: TimeInterval = 60
  static let firstSeconds: TimeInterval = 5
  static let maximumSeconds: TimeInterval = 3600

  /// The delay after `attempts` failed attempts: 5, 10, 20 … seconds, at most an hour; multiplied by
  /// a random factor between 0.75 and 1.25, so that entries that failed together do not all return
  /// together.
  package static func seconds(
    afterAttempts attempts: Int, using generator: inout some RandomNumberGenerator
  ) -> TimeInterval {
    var seconds = firstSeconds
    for _ in 1..<max(attempts, 1) where seconds < maximumSeconds { seconds *= 2 }
    return min(seconds, maximumSeconds) * .random(in: 0.75...1.25, using: &generator)
  }
}
