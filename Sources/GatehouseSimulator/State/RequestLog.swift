import Foundation

/// What was asked of the providers' endpoints: how often, and the last of them.
///
/// Holds methods, routes, statuses and times. Never a query, a header or a body: those carry codes,
/// tokens and secrets.
struct RequestLog: Sendable {
  private static let maximumEntries = 200

  struct Entry: Sendable, Equatable {
    let method: String
    /// The route as the router knows it, so that there are only so many.
    let path: String
    let status: Int
    let time: Date
  }

  private(set) var counts: [String: Int] = [:]
  private(set) var last: [Entry] = []

  mutating func record(_ entry: Entry) {
    counts[entry.path, default: 0] += 1
    last.append(entry)
    if last.count > Self.maximumEntries { last.removeFirst() }
  }
}
