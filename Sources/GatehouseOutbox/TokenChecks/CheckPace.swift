import Foundation
import GatehouseModel

/// How fast tokens are checked, and whether the results can be believed.
struct CheckPace {
  /// The latest results of a project that are remembered.
  private static let remembered = 10
  /// More refusals among them are doubted. Users don't withdraw access all at once; a key of another
  /// team makes every token invalid.
  private static let credibleRefusals = 3
  private static let firstPauseSeconds: TimeInterval = 60
  private static let maximumPauseSeconds: TimeInterval = 3600

  private let perMinute: Int
  private var available: Double
  private var filledAt: Date
  private var pausedUntil: Date?
  private var failures = 0
  private var results: [ProjectID: [Bool]] = [:]

  init(perMinute: Int, now: Date) {
    self.perMinute = perMinute
    available = 0
    filledAt = now
  }

  /// How many tokens may be checked now. At most a minute's are saved up.
  mutating func allowance(now: Date) -> Int {
    let seconds = max(now.timeIntervalSince(filledAt), 0)
    filledAt = now
    available = min(available + seconds * Double(perMinute) / 60, Double(perMinute))
    if let pausedUntil, now < pausedUntil { return 0 }
    return Int(available)
  }

  mutating func spend(_ count: Int) { available = max(available - Double(count), 0) }

  /// Apple didn't answer, failed, or wants fewer requests: pauses for a minute, then twice as long,
  /// up to an hour. Failures during a pause are of checks that were under way.
  mutating func backOff(now: Date) {
    if let pausedUntil, now < pausedUntil { return }
    let seconds = min(
      Self.firstPauseSeconds * pow(2, Double(min(failures, 10))), Self.maximumPauseSeconds)
    failures += 1
    pausedUntil = now.addingTimeInterval(seconds)
  }

  /// Remembers a result.
  ///
  /// - Returns: Whether it can be believed.
  mutating func record(isValid: Bool, of project: ProjectID, now: Date) -> Bool {
    failures = 0
    var known = results[project] ?? []
    known.append(isValid)
    if known.count > Self.remembered { known.removeFirst() }
    results[project] = known
    return isValid || known.count { !$0 } <= Self.credibleRefusals
  }
}
