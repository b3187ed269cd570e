import Foundation
import GatehouseProtocol

/// Whether users bring along their sessions at Firebase, and until when.
package struct FirebaseSessionPolicy: Hashable, Sendable, Codable {
  /// The id of the Firebase project whose ID tokens are accepted; empty: none are.
  package var project = ""
  /// The last day, in UTC, as `2027-06-30`; empty: no token is accepted.
  package var until = ""

  package init() {}

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    project = try values.value(.project, or: project)
    until = try values.value(.until, or: until)
  }

  /// The Firebase project whose tokens are accepted, and the end of that time; nil: none are.
  var accepted: (project: String, end: Date)? {
    guard !project.isEmpty, let end = Self.end(of: until) else { return nil }
    return (project, end)
  }

  /// Why the policy can't be stored.
  var fault: String? {
    if !project.isEmpty, ProjectID(project) == nil {
      return "firebaseSessions.project: “\(project)” is not the id of a Firebase project"
    }
    return !until.isEmpty && Self.end(of: until) == nil
      ? "firebaseSessions.until: “\(until)” is not a date such as 2027-06-30" : nil
  }

  /// The end of the day; nil if it isn't a date.
  private static func end(of day: String) -> Date? {
    Date(day: day)?.addingTimeInterval(24 * 60 * 60)
  }
}

extension Date {
  /// The beginning of a day in UTC, written as `2027-06-30`. Nil if the text isn't a day.
  init?(day text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return nil }
    let components = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
    guard components.isValidDate(in: calendar), let start = calendar.date(from: components) else {
      return nil
    }
    self = start
  }
}
