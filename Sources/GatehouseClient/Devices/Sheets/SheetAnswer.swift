import GatehouseProtocol

/// The future response of a sheet: the first response counts, and is returned exactly once.
///
/// Systems respond on any thread. They may respond before a caller waits, twice, or after the sheet
/// was closed.
package final class SheetAnswer<Value: Sendable>: Sendable {
  package typealias Outcome = Result<Value, DeviceFault>

  private enum State {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case answered(Outcome)
  }

  private let state = Locked(State.open)

  package init() {}

  /// Sets the response. Responses after the first one are ignored.
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

  /// Waits for the response. Only one caller may wait. If the task is cancelled, this throws
  /// `cancelled` at once, and the code that opened the sheet then closes it.
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
