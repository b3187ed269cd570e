import Dispatch
import Synchronization

/// The next action of a thread.
private enum QueueStep<Item> {
  case take([Item], rings: Bool)
  case sleep
  case leave(rings: Bool)
}

/// A queue of operations, from which a thread can take several at once.
///
/// The queue is bounded: if ``limit`` operations wait, the next one is refused at once. Otherwise
/// its result would arrive after the caller had stopped waiting.
package final class JobQueue<Item: Sendable>: Sendable {
  package let limit: Int
  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  private struct State {
    var items: [Item] = []
    var isClosed = false
    /// The number of threads that wait for the bell.
    var sleepers = 0
    /// Whether a waiting thread was signalled and hasn't taken the lock yet. It will see all items
    /// that arrive until then.
    var isRinging = false
    /// The number of threads that have not ended.
    var threads = 0
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// Whether the bell must ring now.
    mutating func shouldRing() -> Bool {
      guard sleepers > 0, !isRinging else { return false }
      sleepers -= 1
      isRinging = true
      return true
    }
  }

  package init(limit: Int) { self.limit = limit }

  /// How many items wait.
  package var count: Int { state.withLock { $0.items.count } }

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Adds an item; returns an error if it was refused.
  package func put(_ item: Item) -> StoreError? {
    let (refusal, rings) = state.withLock { state -> (StoreError?, Bool) in
      guard !state.isClosed else { return (.closed, false) }
      guard state.items.count < limit else {
        return (.unavailable("too many operations are waiting for the database"), false)
      }
      state.items.append(item)
      return (nil, state.shouldRing())
    }
    if rings { bell.signal() }
    return refusal
  }

  /// Waits for items and takes the oldest of them, at most `count`. Nil if the queue is closed
  /// and empty. Blocks its thread.
  package func take(atMost count: Int) -> [Item]? {
    var wasRung = false
    while true {
      let step = state.withLock { [wasRung] state -> QueueStep<Item> in
        if wasRung { state.isRinging = false }
        if !state.items.isEmpty {
          let taken = Array(state.items.prefix(count))
          state.items.removeFirst(taken.count)
          return .take(taken, rings: !state.items.isEmpty && state.shouldRing())
        }
        if state.isClosed { return .leave(rings: state.shouldRing()) }
        state.sleepers += 1
        return .sleep
      }
      switch step {
      case .take(let items, let rings):
        if rings { bell.signal() }
        return items
      case .leave(let rings):
        if rings { bell.signal() }
        return nil
      case .sleep:
        bell.wait()
        wasRung = true
      }
    }
  }

  /// Removes the oldest items up to the first one that doesn't fulfil the condition. Doesn't wait.
  package func takeFirst(while condition: (Item) -> Bool) -> [Item] {
    state.withLock { state in
      let taken = Array(state.items.prefix(while: condition))
      state.items.removeFirst(taken.count)
      return taken
    }
  }

  /// Refuses all further items. Items that wait can still be taken.
  package func close() {
    let rings = state.withLock { state in
      state.isClosed = true
      return state.shouldRing()
    }
    if rings { bell.signal() }
  }

  package func threadWillStart() {
    state.withLock { $0.threads += 1 }
  }

  package func threadDidEnd() {
    let waitingForEnd = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waitingForEnd = [] }
      return state.waitingForEnd
    }
    for waiting in waitingForEnd { waiting.resume() }
  }

  /// Waits until every thread has ended.
  package func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.threads > 0 { state.waitingForEnd.append(continuation) }
        return state.threads == 0
      }
      if isOver { continuation.resume() }
    }
  }
}
