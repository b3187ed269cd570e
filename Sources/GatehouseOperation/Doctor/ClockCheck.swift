package import Foundation
package import GatehouseFederation

/// Whether this machine's clock is right, by what other machines' answers say (`Date`, RFC 9110
/// §6.6.1).
package enum ClockCheck {
  /// Providers' tokens are taken up to a minute off.
  private static let failingSeconds: TimeInterval = 60
  private static let strangeSeconds: TimeInterval = 5
  private static let remedy =
    "Switch time synchronisation on: timedatectl set-ntp true (systemd-timesyncd), or chrony."

  /// - Parameters:
  ///   - answers: `Date` headers, each with this machine's time when it came.
  package static func findings(_ answers: [(date: String, receivedAt: Date)]) -> [Finding] {
    let offsets = answers.compactMap { answer in
      parse(answer.date).map { answer.receivedAt.timeIntervalSince($0) }
    }.sorted()
    guard !offsets.isEmpty else {
      return [
        Finding(
          "clock", .warning(remedy: "Compare it with another's: date -u"),
          "nobody answered to compare it with")
      ]
    }
    // One wrong clock among those asked doesn't count.
    let offset = offsets[offsets.count / 2]
    let seconds = Int(abs(offset).rounded())
    let detail = "\(seconds) seconds \(offset > 0 ? "ahead" : "behind")"
    if abs(offset) >= failingSeconds {
      return [Finding("clock", .failed(remedy: remedy), detail + ": tokens are refused")]
    }
    if abs(offset) >= strangeSeconds {
      return [Finding("clock", .warning(remedy: remedy), detail)]
    }
    return [Finding("clock", .ok, "within \(Int(strangeSeconds)) seconds of others'")]
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
