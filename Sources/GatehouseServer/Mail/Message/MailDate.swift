import Foundation

/// A date in a header (RFC 5322 §3.3), in UTC.
enum MailDate {
  static func text(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let weekday = weekdays[min(max(parts.weekday ?? 1, 1), 7) - 1]
    let month = months[min(max(parts.month ?? 1, 1), 12) - 1]
    let time = [parts.hour, parts.minute, parts.second].map { padded($0 ?? 0, to: 2) }
    return "\(weekday), \(parts.day ?? 1) \(month) \(padded(parts.year ?? 1970, to: 4)) "
      + "\(time.joined(separator: ":")) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
