import GatehouseProtocol

/// Keeps an observer active. Cancelling or releasing it ends the observation.
///
/// A call that has begun on another thread may still be running when ``cancel()`` returns. After
/// that, no call begins.
public final class SessionObservation: Sendable {
  private let end: @Sendable () -> Void
  package init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  public func cancel() { end() }
  deinit { end() }
}

/// The changes that one observer hasn't been told about yet.
///
/// If no other thread is delivering, a thread that finds changes delivers all of them. So the
/// observer is called in order and by one thread at a time, however many threads make changes. The
/// observer may make changes itself.
final class ObserverMailbox: Sendable {
  private struct State {
    var changes: [SessionChange] = []
    var isDelivering = false
    var isCancelled = false
  }

  private let observer: @Sendable (SessionChange) -> Void
  private let state = Locked(State())

  init(_ observer: @escaping @Sendable (SessionChange) -> Void) { self.observer = observer }

  func put(_ change: SessionChange) {
    state.withLock { if !$0.isCancelled { $0.changes.append(change) } }
  }

  /// Reserves the first delivery for the call of `deliver(asFirst: true)`.
  func reserve() { state.withLock { $0.isDelivering = true } }

  /// - Parameter asFirst: The caller has reserved the delivery.
  func deliver(asFirst: Bool = false) {
    var isMine = asFirst
    while let change = next(&isMine) { observer(change) }
  }

  func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.changes = []
    }
  }

  private func next(_ isMine: inout Bool) -> SessionChange? {
    state.withLock { state in
      guard isMine || !state.isDelivering else { return nil }
      guard !state.changes.isEmpty else {
        if isMine { state.isDelivering = false }
        return nil
      }
      isMine = true
      state.isDelivering = true
      return state.changes.removeFirst()
    }
  }
}
