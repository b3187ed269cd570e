import struct Foundation.TimeInterval

/// How long a client waits before it connects again to listen. All times are in seconds.
///
/// A pure state machine: an outcome goes in, the pause comes out. Whatever a server responds, a client
/// doesn't connect in a quick loop.
struct ListeningPace: Sendable {
  enum Outcome: Hashable, Sendable {
    /// The stream began, and ended after this time.
    case ended(after: TimeInterval, retry: TimeInterval?)
    /// There was no connection, or the server rejected the session's token.
    case failed
    /// The server accepts no more streams now, or is shutting down.
    case refused(retryAfter: TimeInterval?)
    /// The server offers no streams, or the response isn't from a Gatehouse server.
    case notOffered
    /// The account has too many streams, and the server ended this one.
    case replaced
  }

  static let firstPause: TimeInterval = 1
  static let longestPause: TimeInterval = 120
  /// The end of a stream that lasted this long isn't a failure.
  static let goodTime: TimeInterval = 30
  static let longestRetryAfter: TimeInterval = 3600
  static let pauseWithoutOffer: TimeInterval = 3600
  static let pauseAfterReplacement: TimeInterval = 600

  private var failures = 0

  /// - Parameter chance: A random number from 0 to 1, so that many devices that lost a server don't return
  ///   at the same moment. It makes the pause shorter or longer by up to a half.
  mutating func pause(after outcome: Outcome, chance: Double) -> TimeInterval {
    length(after: outcome) * (0.5 + min(max(chance, 0), 1))
  }

  private mutating func length(after outcome: Outcome) -> TimeInterval {
    switch outcome {
    case .ended(let time, let retry):
      if time >= Self.goodTime { failures = 0 } else { failures += 1 }
      return max(min(retry ?? Self.firstPause, Self.longestPause), growing)
    case .failed:
      failures += 1
      return growing
    case .refused(let wish):
      failures += 1
      return max(min(wish ?? 0, Self.longestRetryAfter), growing)
    case .notOffered: return Self.pauseWithoutOffer
    case .replaced: return Self.pauseAfterReplacement
    }
  }

  private var growing: TimeInterval {
    min(Self.firstPause * TimeInterval(1 << min(max(failures - 1, 0), 10)), Self.longestPause)
  }
}
