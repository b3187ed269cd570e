package import Foundation

/// The servers that run on a database that several machines share.
///
/// Each server regularly writes a row, and removes it when it stops. So commands know which servers run
/// and which master keys they hold. The row of a server that was killed counts for ``silenceSeconds``
/// more. So a command may wait for a server that is gone, but doesn't overlook one that runs.
package struct RunningServers: Sendable {
  /// A server that hasn't written its row for this time counts as gone. The time is far longer than the
  /// clocks of the machines should differ.
  package static let silenceSeconds: TimeInterval = 60
  /// How often a server writes its row.
  package static let announcementSeconds: TimeInterval = 5

  private static let prefix = "server/"
  private let store: any Store

  package init(store: any Store) { self.store = store }

  /// What a server announces about itself.
  package struct Entry: Hashable, Sendable, Codable {
    /// Identifies the process. A random text that the process chooses when it starts.
    package var id: String
    /// The machine's name.
    package var host: String
    /// The process id.
    package var process: Int32
    /// The ids of the master keys that it holds, in hexadecimal.
    package var masterKeys: [String]
    /// The version of the program.
    package var version: String
    /// Its clock minus the database's, in seconds; nil before the first comparison.
    package var clockOffset: TimeInterval?

    package init(
      id: String, host: String, process: Int32, masterKeys: [String], version: String,
      clockOffset: TimeInterval? = nil
    ) {
      self.id = id
      self.host = host
      self.process = process
      self.masterKeys = masterKeys
      self.version = version
      self.clockOffset = clockOffset
    }
  }

  private struct Stored: Codable {
    var entry: Entry
    var seenAt: Date
  }

  /// Writes the server's row, and removes the rows of servers that count as gone.
  package func announce(_ entry: Entry, now: Date) async throws {
    let value = Array(try JSONEncoder().encode(Stored(entry: entry, seenAt: now)))
    try await store.write { transaction in
      for (name, value) in try transaction.serverValues(withPrefix: Self.prefix)
      where Self.running([name: value], now: now).isEmpty {
        try transaction.removeServerValue(name)
      }
      try transaction.setServerValue(Self.prefix + entry.id, to: value)
    }
  }

  package func remove(_ id: String) async throws {
    try await store.write { try $0.removeServerValue(Self.prefix + id) }
  }

  package func all(now: Date) async throws -> [Entry] {
    Self.running(try await store.read { try $0.serverValues(withPrefix: Self.prefix) }, now: now)
  }

  /// The running servers among the server values, in the order of their hosts and process ids.
  package static func running(_ values: [String: [UInt8]], now: Date) -> [Entry] {
    values.filter { $0.key.hasPrefix(prefix) }
      .compactMap { try? JSONDecoder().decode(Stored.self, from: Data($0.value)) }
      .filter { now.timeIntervalSince($0.seenAt) < silenceSeconds }
      .map(\.entry).sorted { ($0.host, $0.process) < ($1.host, $1.process) }
  }
}
