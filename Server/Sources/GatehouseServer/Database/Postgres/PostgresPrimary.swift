import Synchronization

/// What the connections of one store know of the primary: whether they reach it, and which timeline they
/// accept.
final class PostgresPrimary: Sendable {
  private let memory: (any PostgresTimelineMemory)?
  private let state = Mutex(State())

  private struct State {
    var newest: PostgresTimeline?
    /// Each transaction demands it. Nil: nothing is demanded, because the database has no timelines.
    var walPrefix: String?
    var refusal: StoreError?
    var unreachableSince: ContinuousClock.Instant?
  }

  /// - Throws: What `memory` throws.
  init(_ memory: (any PostgresTimelineMemory)? = nil) throws {
    self.memory = memory
    let newest = try memory?.timeline()
    state.withLock { $0.newest = newest }
  }

  /// The beginning of the names of the log's files, on the timeline that transactions demand.
  var walPrefix: String? { state.withLock { $0.walPrefix } }

  /// Why the last primary that answered is refused; nil if it is accepted.
  var refusal: StoreError? { state.withLock { $0.refusal } }

  /// Since when no operation has got an answer; nil if the last one has.
  var unreachableSince: ContinuousClock.Instant? { state.withLock { $0.unreachableSince } }

  func noteAnswer() {
    state.withLock { state in
      state.refusal = nil
      state.unreachableSince = nil
    }
  }

  func noteLoss() {
    state.withLock { $0.unreachableSince = $0.unreachableSince ?? .now }
  }

  /// Decides about a primary that isn't on the demanded timeline, or about the first one.
  ///
  /// - Throws: `StoreError.unavailable` if it lacks what was committed before.
  func review(_ connection: PostgresConnection, until deadline: ContinuousClock.Instant) throws {
    let found = try PostgresTimeline.read(connection, until: deadline)
    let isNew = try state.withLock { state -> Bool in
      guard let found else {
        state.walPrefix = nil
        return false
      }
      if let newest = state.newest, found.lacks(newest) {
        let refusal = StoreError.unavailable(Self.explanation(of: found, beside: newest))
        state.refusal = refusal
        throw refusal
      }
      state.refusal = nil
      state.walPrefix = found.prefix
      defer { state.newest = found }
      return state.newest != found
    }
    if isNew, let found { memory?.remember(found) }
  }

  private static func explanation(
    of found: PostgresTimeline, beside newest: PostgresTimeline
  ) -> String {
    "PostgreSQL's primary is on timeline \(found.number), but this server has used timeline "
      + "\(newest.number)\(found.number < newest.number ? "" : " of another history"). What was committed "
      + "there is missing here, so the server refuses this primary. Bring the other one back; or, to keep "
      + "this one, run: gatehouse confirm-timeline \(found.number)"
  }
}
