/// How long a client waits before it connects again to listen.
///
/// A pure state machine: what happened goes in, the pause comes out. Whatever a server answers, a client
/// doesn't connect in a quick loop.
struct ListeningPace: Sendable {
  enum Outcome: Hashable, Sendable {
    /// The stream began, and ended after this time.
    case ended(after: Duration, retry: Duration?)
    /// There is no connection, or the session was in doubt.
    case failed
    /// The server has no room, or is shutting down.
    case refused(retryAfter: Duration?)
    /// The server doesn't offer streams, or the answer isn't its own.
    case notOffered
    /// The account has too many devices that listen.
    case replaced
  }

  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(120)
  /// A stream that lived so long was no failure.
  static let goodTime = Duration.seconds(30)
  static let longestRetryAfter = Duration.seconds(3600)
  static let pauseWithoutOffer = Duration.seconds(3600)
  static let pauseAfterReplacement = Duration.seconds(600)

  private var failures = 0

  /// - Parameter chance: From 0 to 1, at random: many devices that lost a server don't return at the same
  ///   moment. The pause is between half and one and a half of its length.
  mutating func pause(after outcome: Outcome, chance: Double) -> Duration {
    length(after: outcome) * (0.5 + min(max(chance, 0), 1))
  }

  private mutating func length(after outcome: Outcome) -> Duration {
    switch outcome {
    case .ended(let time, let retry):
      if time >= Self.goodTime { failures = 0 } else { failures += 1 }
      return max(min(retry ?? Self.firstPause, Self.longestPause), growing)
    case .failed:
      failures += 1
      return growing
    case .refused(let wish):
      failures += 1
      return max(min(wish ?? .zero, Self.longestRetryAfter), growing)
    case .notOffered: return Self.pauseWithoutOffer
    case .replaced: return Self.pauseAfterReplacement
    }
  }

  private var growing: Duration {
    min(Self.firstPause * (1 << min(max(failures - 1, 0), 10)), Self.longestPause)
  }
}
