import Foundation
import GatehouseProtocol

/// The server's time, learned from its responses: a device's clock may be wrong by hours.
///
/// It is as exact as the `Date` header (one second), and late by the time that the response needed
/// to arrive.
final class ServerTime: Sendable {
  private struct State {
    var offsetSeconds = 0.0
    var isLearned = false
  }

  private let clock: any ClientClock
  private let state = Locked(State())

  init(clock: any ClientClock) { self.clock = clock }

  /// Seconds by which the server's clock is ahead of the device's.
  var offsetSeconds: Double { state.withLock(\.offsetSeconds) }

  var now: Date { clock.now.addingTimeInterval(offsetSeconds) }

  /// Learns from a response that has just arrived with this date.
  func learn(_ date: Date) {
    let offset = date.timeIntervalSince(clock.now)
    state.withLock {
      // A difference below two seconds can be an error of the measurement.
      $0.offsetSeconds = abs(offset) < 2 ? 0 : offset
      $0.isLearned = true
    }
  }

  /// Learns from a token that has just arrived with this issue time. For servers whose responses
  /// have no date.
  func learn(issuedAt date: Date) {
    if !state.withLock(\.isLearned) { learn(date) }
  }

  /// Restores the offset that an earlier process learned, unless this process has learned one. If
  /// the token's issue time would then be in the future, the device's clock was changed since, and
  /// the offset is ignored.
  func recall(offsetSeconds: Double, issuedAt: Date) {
    guard offsetSeconds.isFinite, abs(offsetSeconds) < 10 * 365 * 86_400 else { return }
    state.withLock {
      guard !$0.isLearned, clock.now.addingTimeInterval(offsetSeconds + 60) >= issuedAt else {
        return
      }
      $0.offsetSeconds = offsetSeconds
    }
  }

  /// The date in a `Date` header (RFC 9110 §5.6.7, only the preferred format), such as `Sun, 06 Nov
  /// 1994 08:49:37 GMT`.
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
    // Days since 1970 of a date in the Gregorian calendar, with years that begin in March.
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
