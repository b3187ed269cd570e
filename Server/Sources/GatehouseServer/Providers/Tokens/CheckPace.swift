import Foundation
import GatehouseProtocol

/// Limits the rate of token checks, and decides whether their results are plausible.
struct CheckPace {
  /// The number of tokens of a project whose results are remembered.
  private static let remembered = 10
  /// More refusals than this among the remembered results aren't plausible. Users don't all withdraw
  /// access at once; it is more probable that the key belongs to another team, with which every token
  /// is invalid.
  private static let credibleRefusals = 3
  private static let firstPauseSeconds: TimeInterval = 60
  private static let maximumPauseSeconds: TimeInterval = 3600

  private let perMinute: Int
  private var available: Double
  private var filledAt: Date
  private var pausedUntil: Date?
  private var failures = 0
  /// The oldest come first.
  private var results: [ProjectID: [Outcome]] = [:]

  /// The latest result of a token, without the token.
  private struct Outcome {
    let uid: UID
    let provider: ProviderID
    let clientID: String
    let isValid: Bool
    let checkedAt: Date

    /// An account has at most one token of a provider's client.
    func isOf(_ token: ProviderToken) -> Bool {
      uid == token.uid && provider == token.provider
        && clientID.hasSameBytes(as: token.clientID)
    }
  }

  init(perMinute: Int, now: Date) {
    self.perMinute = perMinute
    available = 0
    filledAt = now
  }

  /// How many tokens may be checked now. Unused checks add up to those of one minute at most.
  mutating func allowance(now: Date) -> Int {
    let seconds = max(now.timeIntervalSince(filledAt), 0)
    filledAt = now
    available = min(available + seconds * Double(perMinute) / 60, Double(perMinute))
    if let pausedUntil, now < pausedUntil { return 0 }
    return Int(available)
  }

  mutating func spend(_ count: Int) { available = max(available - Double(count), 0) }

  /// Pauses the checks because Apple didn't answer, failed, or limited the rate: for a minute, then
  /// twice as long each time, up to an hour. A failure during a pause doesn't prolong it, because it
  /// belongs to a check that began before.
  mutating func backOff(now: Date) {
    if let pausedUntil, now < pausedUntil { return }
    let seconds = min(
      Self.firstPauseSeconds * pow(2, Double(min(failures, 10))), Self.maximumPauseSeconds)
    failures += 1
    pausedUntil = now.addingTimeInterval(seconds)
  }

  /// Remembers the latest result of a token.
  ///
  /// A valid token shows that the key is right, so refusals from more than a day ago are then forgotten:
  /// otherwise a project with few tokens would doubt every refusal from the fourth on. Refusals of the
  /// last day are kept: when the key changes, some tokens have been checked with the old key and some with
  /// the new one. So a valid token doesn't show with which key the others were checked.
  ///
  /// - Returns: Whether it is plausible.
  mutating func record(
    isValid: Bool, of token: ProviderToken, in project: ProjectID, now: Date
  ) -> Bool {
    failures = 0
    var known = results[project] ?? []
    known.removeAll { $0.isOf(token) }
    if isValid {
      known.removeAll {
        !$0.isValid && now.timeIntervalSince($0.checkedAt) >= TokenChecker.intervalSeconds
      }
    }
    known.append(
      Outcome(
        uid: token.uid, provider: token.provider, clientID: token.clientID, isValid: isValid,
        checkedAt: now))
    if known.count > Self.remembered { known.removeFirst() }
    results[project] = known
    return isValid || known.count { !$0.isValid } <= Self.credibleRefusals
  }
}
