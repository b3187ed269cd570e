import Foundation

/// Requests to the providers' endpoints: a count for each endpoint, and the latest requests.
///
/// Contains methods, routes, statuses and times. Never a query, a header or a body: they contain
/// codes, tokens and secrets.
struct RequestLog: Sendable {
  private static let maximumEntries = 200

  struct Entry: Sendable, Equatable {
    let method: String
    /// The router's pattern for the path, so that the number of different values is limited.
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
