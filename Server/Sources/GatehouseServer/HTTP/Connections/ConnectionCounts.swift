import GatehouseProtocol
import HummingbirdCore
import Metrics
import Synchronization

/// The open connections, in total and by address.
final class ConnectionCounts: Sendable {
  private let limits: ConnectionLimits
  private let state = Mutex(State())
  private let open = Metric.connections.gauge()
  /// Connections that the server closed because of a limit, by reason.
  private let refused: [Refusal: Counter]

  private struct State {
    var total = 0
    /// Only addresses with open connections.
    var byAddress: [ClientAddress: Int] = [:]
  }

  enum Refusal: String, CaseIterable {
    /// The address has too many connections.
    case address
    /// The request didn't arrive in time.
    case slow
    /// The client didn't read the response in time.
    case unread
  }

  init(limits: ConnectionLimits) {
    self.limits = limits
    refused = Metric.connectionsRefused.counters("reason", Refusal.allCases)
  }

  func countRefusal(_ refusal: Refusal) { refused[refusal]?.increment() }

  /// False if the address has reached its limit. If true, the caller has to call ``leave(_:)``
  /// later.
  func admit(_ address: ClientAddress) -> Bool {
    let counted = limited(address)
    let isAdmitted = state.withLock { state in
      guard counted.allSatisfy({ state.byAddress[$0.address, default: 0] < $0.limit }) else {
        return false
      }
      for (address, _) in counted { state.byAddress[address, default: 0] += 1 }
      return true
    }
    if !isAdmitted { countRefusal(.address) }
    return isAdmitted
  }

  func leave(_ address: ClientAddress) {
    state.withLock { state in
      for (address, _) in limited(address) {
        let count = state.byAddress[address, default: 1] - 1
        state.byAddress[address] = count == 0 ? nil : count
      }
    }
  }

  /// The address and its site, with their limits.
  private func limited(_ address: ClientAddress) -> [(address: ClientAddress, limit: Int)] {
    let limit = limits.connectionsPerAddress
    let siteLimit = ClientAddress.siteLimit(limit, of: limits.connections)
    return [(address, limit)] + (address.site.map { [($0, siteLimit)] } ?? [])
  }

  fileprivate func add(_ change: Int) {
    let total = state.withLock { state in
      state.total += change
      return state.total
    }
    open.record(total)
  }

  fileprivate var hasRoom: Bool { state.withLock { $0.total < limits.connections } }
}

/// Tells the listening socket when to accept connections. While the limit is reached, new
/// connections wait in the system's queue.
struct ConnectionAdmission: AvailableConnectionsDelegate {
  let counts: ConnectionCounts

  func connectionOpened() { counts.add(1) }
  func connectionClosed() { counts.add(-1) }
  func isAcceptingNewConnections() -> Bool { counts.hasRoom }
}
