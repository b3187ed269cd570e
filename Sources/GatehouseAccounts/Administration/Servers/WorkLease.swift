package import Foundation

/// The right to do one piece of background work, which one of several servers has at a time: a row with its
/// holder and its end.
///
/// It isn't a lock of the database's session, which a pooler between the server and the database couldn't
/// hold. Work that two servers do at once after all, because a clock is wrong, must do no harm.
package struct WorkLease: Sendable {
  /// What the work is.
  package let name: String
  /// The server's id.
  package let holder: String
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

  /// A lease that ends more than two terms from now is ignored: the clock of the server that wrote it is far ahead,
  /// and would keep others from the work.
  private func belongsToAnother(_ held: Stored, now: Date) -> Bool {
    held.holder != holder && held.end > now && held.end <= now.addingTimeInterval(2 * seconds)
  }

  /// Gives it back, so that another server needn't wait for its end.
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
