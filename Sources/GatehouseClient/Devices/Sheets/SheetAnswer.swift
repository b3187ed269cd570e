import Synchronization

/// What a sheet is going to say: the first answer counts, and is given exactly once.
///
/// Systems answer from any thread, now and then before anybody waits, twice, or after the sheet was
/// taken away.
package final class SheetAnswer<Value: Sendable>: Sendable {
  package typealias Outcome = Result<Value, DeviceFault>

  private enum State {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case answered(Outcome)
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Further answers than the first are ignored.
  package func give(_ outcome: Outcome) {
    let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      switch state {
      case .open:
        state = .answered(outcome)
        return nil
      case .awaited(let continuation):
        state = .answered(outcome)
        return continuation
      case .answered: return nil
      }
    }
    waiting?.resume(returning: outcome)
  }

  /// Waits for the answer; for one caller. A task that is cancelled is answered `cancelled` at once:
  /// whoever opened the sheet then takes it away.
  package func value() async throws(DeviceFault) -> Value {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Outcome? in
          if case .answered(let outcome) = state { return outcome }
          state = .awaited(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      give(.failure(.cancelled))
    }
    return try outcome.get()
  }
}
