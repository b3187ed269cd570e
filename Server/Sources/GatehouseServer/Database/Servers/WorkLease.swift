package import Foundation

/// The right to do one kind of background work. Only one of several servers has it at a time. The database
/// has a row with the holder and the end of the lease.
///
/// A session lock of the database would not work through a connection pooler. If a clock is wrong, two
/// servers may do the work at the same time, so the work must be harmless even then.
package struct WorkLease: Sendable {
  /// Names the work.
  package let name: String
  /// The server's id.
  package let holder: String
  /// The term: how long the lease lasts after it was taken or extended.
  package let seconds: TimeInterval

  private static let prefix = "lease/"

  package init(_ name: String, holder: String, seconds: TimeInterval) {
    self.name = name
    self.holder = holder
    self.seconds = seconds
  }

  private struct Stored: Codable {
    var holder: String
    var end: Date
  }

  /// Takes the lease, or extends it.
  ///
  /// - Returns: False while another server has it.
  package func take(in store: any Store, now: Date) async throws -> Bool {
    let name = Self.prefix + name
    if let held = try await store.read({ try $0.serverValue(name) }).flatMap(Self.read),
      belongsToAnother(held, now: now)
    {
      return false
    }
    let value = Array(
      try JSONEncoder().encode(Stored(holder: holder, end: now.addingTimeInterval(seconds))))
    return try await store.write { transaction in
      let held = try transaction.serverValue(name).flatMap(Self.read)
      if let held, belongsToAnother(held, now: now) { return false }
      try transaction.setServerValue(name, to: value)
      return true
    }
  }

  /// Whether another server has the lease. A lease that ends more than two terms from now doesn't count: the
  /// clock of the server that wrote it is far ahead, and others could not do the work for a long time.
  private func belongsToAnother(_ held: Stored, now: Date) -> Bool {
    held.holder != holder && held.end > now && held.end <= now.addingTimeInterval(2 * seconds)
  }

  /// Gives the lease back, so that another server needn't wait for its end. No effect if another server has
  /// it.
  package func release(in store: any Store) async throws {
    let name = Self.prefix + name
    try await store.write { [holder] transaction in
      guard try transaction.serverValue(name).flatMap(Self.read)?.holder == holder else { return }
      try transaction.removeServerValue(name)
    }
  }

  private static func read(_ value: [UInt8]) -> Stored? {
    try? JSONDecoder().decode(Stored.self, from: Data(value))
  }
}
