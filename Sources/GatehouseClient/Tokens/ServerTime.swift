import Foundation
import Synchronization

/// The server's time, learned from its answers: a device's clock may be wrong by hours.
///
/// As exact as the header `Date`, a second, and the time that the answer was under way.
final class ServerTime: Sendable {
  private struct State {
    var offsetSeconds = 0.0
    var isLearned = false
  }

  private let clock: any ClientClock
  private let state = Mutex(State())

  init(clock: any ClientClock) { self.clock = clock }

  /// Seconds that the server is ahead of the device.
  var offsetSeconds: Double { state.withLock(\.offsetSeconds) }

  var now: Date { clock.now.addingTimeInterval(offsetSeconds) }

  /// An answer that came just now was made at `date`.
  func learn(_ date: Date) {
    let offset = date.timeIntervalSince(clock.now)
    state.withLock {
      // Within two seconds the two agree as far as can be told.
      $0.offsetSeconds = abs(offset) < 2 ? 0 : offset
      $0.isLearned = true
    }
  }

  /// A token that came just now was issued at `date`: for a server whose answers have no date.
  func learn(issuedAt date: Date) {
    if !state.withLock(\.isLearned) { learn(date) }
  }

  /// What was learned before the last launch, unless this process knows better. The device's clock
  /// may have been set since: a token can't have been issued in the future.
  func recall(offsetSeconds: Double, issuedAt: Date) {
    guard offsetSeconds.isFinite, abs(offsetSeconds) < 10 * 365 * 86_400 else { return }
    state.withLock {
      guard !$0.isLearned, clock.now.addingTimeInterval(offsetSeconds + 60) >= issuedAt else {
        return
      }
      $0.offsetSeconds = offsetSeconds
    }
  }

  /// The date of an answer's header (RFC 9110 §5.6.7, the preferred form alone), like
  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func date(header: String) -> Date? {
    let parts = header.split { $0 == " " || $0 == ":" }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count == 8, parts[7] == "GMT", let day = Int(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
      let hour = Int(parts[4]), let minute = Int(parts[5]), let second = Int(parts[6]),
      (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    // Days since 1970 of a date in the Gregorian calendar, years beginning in March.
    let shifted = (year: month < 2 ? year - 1 : year, month: (month + 10) % 12)
    let era = shifted.year / 400
    let yearOfEra = shifted.year % 400
    let dayOfYear = (153 * shifted.month + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Date(
      timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
  }
}
