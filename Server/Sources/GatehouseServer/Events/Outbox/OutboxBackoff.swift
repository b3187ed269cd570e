package import struct Foundation.Date
package import struct Foundation.TimeInterval

/// How long an entry waits after a failed attempt: exponential, with jitter.
package enum OutboxBackoff {
  static let firstSeconds: TimeInterval = 5
  static let maximumSeconds: TimeInterval = 3600

  /// The delay after `attempts` failed attempts: 5, 10, 20 … seconds, at most an hour. It is multiplied
  /// by a random factor between 0.75 and 1.25, so that entries that failed at the same time are due at
  /// different times.
  package static func seconds(
    afterAttempts attempts: Int, using generator: inout some RandomNumberGenerator
  ) -> TimeInterval {
    var seconds = firstSeconds
    for _ in 1..<max(attempts, 1) where seconds < maximumSeconds { seconds *= 2 }
    return min(seconds, maximumSeconds) * .random(in: 0.75...1.25, using: &generator)
  }

  /// When this version looks again at an entry that only a newer version can read; nil if the entry
  /// is given up.
  ///
  /// Each delay is as long as the entry has waited already: at least five seconds, at most an hour. So
  /// few of these entries are due at the same time, and during an upgrade a newer server gets them
  /// soon.
  ///
  /// - Parameter start: When the entry was stored, or restarted by an operator. The entry is given up
  ///   ``OutboxEntry/maximumSeconds`` later, because this version can't read when its task expires.
  package static func nextLook(atEntryOf start: Date, now: Date) -> Date? {
    let age = now.timeIntervalSince(start)
    guard age < OutboxEntry.maximumSeconds else { return nil }
    return now.addingTimeInterval(min(max(age, firstSeconds), maximumSeconds))
  }
}
