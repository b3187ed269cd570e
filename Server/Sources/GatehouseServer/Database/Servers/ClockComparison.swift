package import Foundation
import Synchronization

/// Compares this machine's clock with the database's clock, which all servers share.
///
/// If the clock is ahead by more than a minute, the other servers and the back ends refuse the ID tokens
/// that this server issues. Then the server must get no requests: ``check()`` throws. An exception is a
/// wrong clock of the database: if most other servers differ from it as this one does, none of them is
/// taken out.
///
/// A database on the same machine has the same clock: there is nothing to compare.
package final class ClockComparison: Sendable {
  /// The difference that verifiers accept: `clockSkewSeconds` of `TokenPolicy`. Seconds.
  package static let toleratedSeconds: TimeInterval = 60
  /// From this difference on the operator is warned. Seconds.
  package static let strangeSeconds = toleratedSeconds / 4

  package enum Verdict: Hashable, Sendable {
    case right, strange
    /// Beyond the tolerance, like the clocks of most other servers.
    case databaseIsWrong
    case wrong
  }

  private let store: any Store
  private let state = Mutex(State())

  private struct State {
    var offset: TimeInterval?
    var verdict = Verdict.right
  }

  package init(_ store: any Store) { self.store = store }

  /// This clock minus the database's, in seconds; negative if this clock is behind. Nil if the clocks
  /// were not compared.
  package var offset: TimeInterval? { state.withLock { $0.offset } }

  package var verdict: Verdict { state.withLock { $0.verdict } }

  /// Asks the database for its time. If that fails, the last result stays.
  ///
  /// - Parameters:
  ///   - clock: This machine's clock.
  ///   - others: Returns the offsets of the other running servers. Gets the database's time.
  /// - Throws: The errors of the store, and of `others`.
  package func compare(
    _ clock: @Sendable () -> Date, others: @Sendable (Date) async throws -> [TimeInterval]
  ) async throws {
    let sent = clock()
    guard let theirs = try await store.databaseTime() else { return }
    let offset = Self.offset(of: theirs, between: sent, and: clock())
    var verdict = Verdict.right
    if abs(offset) > Self.toleratedSeconds {
      verdict = Self.isShared(offset, by: try await others(theirs)) ? .databaseIsWrong : .wrong
    } else if abs(offset) >= Self.strangeSeconds {
      verdict = .strange
    }
    state.withLock { $0 = State(offset: offset, verdict: verdict) }
  }

  /// The least possible difference: the database read its clock at some moment between the two, and a slow
  /// response must not look like a wrong clock.
  package static func offset(of theirs: Date, between sent: Date, and received: Date)
    -> TimeInterval
  {
    let (first, last) = (min(sent, received), max(sent, received))
    if theirs < first { return first.timeIntervalSince(theirs) }
    return theirs > last ? last.timeIntervalSince(theirs) : 0
  }

  private static func isShared(_ offset: TimeInterval, by others: [TimeInterval]) -> Bool {
    let agreeing = others.count { abs($0 - offset) <= toleratedSeconds }
    return agreeing * 2 > others.count
  }

  /// - Throws: `StoreError.unavailable` while this server must get no requests.
  package func check() throws {
    guard verdict == .wrong, let offset else { return }
    throw StoreError.unavailable(
      "this server's clock is \(Self.text(offset)) the database's: others refuse its tokens. Synchronize the "
        + "clock (timedatectl set-ntp true, or chrony)")
  }

  /// `90 s ahead of`, `90 s behind`.
  package static func text(_ offset: TimeInterval) -> String {
    "\(Int(min(abs(offset), 1e12).rounded())) s \(offset > 0 ? "ahead of" : "behind")"
  }
}
