import Foundation
import GatehouseServer

/// Checks this machine's clock against the `Date` headers of other servers' responses (RFC 9110
/// §6.6.1).
enum ClockCheck {
  /// Providers' tokens are accepted with a clock difference of up to a minute.
  private static let failingSeconds = ClockComparison.toleratedSeconds
  private static let strangeSeconds: TimeInterval = 5
  private static let remedy =
    "Switch time synchronisation on: timedatectl set-ntp true (systemd-timesyncd), or chrony."

  /// - Parameters:
  ///   - answers: `Date` headers, each with this machine's time when the response arrived.
  static func findings(_ answers: [(date: String, receivedAt: Date)]) -> [Finding] {
    let offsets = answers.compactMap { answer in
      parse(answer.date).map { answer.receivedAt.timeIntervalSince($0) }
    }.sorted()
    guard !offsets.isEmpty else {
      return [
        Finding(
          "clock", .warning(remedy: "Compare it with another clock: date -u"),
          "no other server responded, so the clock was not compared")
      ]
    }
    // The median: one wrong clock among the others doesn't matter.
    let offset = offsets[offsets.count / 2]
    let seconds = Int(abs(offset).rounded())
    let detail = "\(seconds) seconds \(offset > 0 ? "ahead" : "behind")"
    if abs(offset) >= failingSeconds {
      return [Finding("clock", .failed(remedy: remedy), detail + ": valid tokens are rejected")]
    }
    if abs(offset) >= strangeSeconds {
      return [Finding("clock", .warning(remedy: remedy), detail)]
    }
    return [Finding("clock", .ok, "within \(Int(strangeSeconds)) seconds of other servers' clocks")]
  }

  /// - Parameter databaseOffset: This clock minus the database's, in seconds.
  static func finding(databaseOffset: TimeInterval) -> Finding {
    let check = "database clock"
    guard abs(databaseOffset) >= ClockComparison.strangeSeconds else {
      return Finding(
        check, .ok, "within \(Int(ClockComparison.strangeSeconds)) seconds of this machine's clock")
    }
    let detail = "this machine's clock is \(ClockComparison.text(databaseOffset)) the database's"
    return abs(databaseOffset) > failingSeconds
      ? Finding(
        check, .failed(remedy: remedy),
        detail + ": a server here is not ready, because others refuse its tokens")
      : Finding(check, .warning(remedy: remedy), detail)
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7); nil for other forms, which are obsolete.
  static func parse(_ text: String) -> Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
    else { return nil }
    let time = parts[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3 else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(
      from: DateComponents(
        year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2]))
  }
}
