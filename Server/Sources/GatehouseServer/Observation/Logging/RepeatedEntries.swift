import Synchronization

/// Counts recent log entries, so that a client can't fill the disk with one line.
///
/// The first ``maximum`` entries of a kind in a window are written. Further entries are counted,
/// and the first entry of the next window reports their number.
package final class RepeatedEntries: Sendable {
  /// How many entries of one kind are written in one ``window``.
  package static let maximum = 20
  package static let window = Duration.seconds(60)
  /// How many kinds are remembered. With more, counting begins anew.
  private static let maximumKinds = 1024

  private struct Kind {
    var endsAt: ContinuousClock.Instant
    var written = 0
    var suppressed = 0
  }

  private let kinds = Mutex<[String: Kind]>([:])

  package init() {}

  /// Whether an entry of `kind` is written now, and how many were suppressed since the last written
  /// one.
  ///
  /// - Returns: Nil if it is suppressed.
  package func admit(_ kind: String, now: ContinuousClock.Instant) -> Int? {
    kinds.withLock { kinds in
      if kinds.count >= Self.maximumKinds, kinds[kind] == nil { kinds.removeAll() }
      var known = kinds[kind] ?? Kind(endsAt: now + Self.window)
      defer { kinds[kind] = known }
      guard now < known.endsAt else {
        let suppressed = known.suppressed
        known = Kind(endsAt: now + Self.window, written: 1)
        return suppressed
      }
      guard known.written < Self.maximum else {
        known.suppressed += 1
        return nil
      }
      known.written += 1
      return 0
    }
  }
}
