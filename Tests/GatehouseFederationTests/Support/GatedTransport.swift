import GatehouseFederation
import Synchronization

/// Holds every call until it is opened; then every call fails.
final class GatedTransport: OutboundTransport {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    throw .notConnected(host: request.url.host)
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
