import GatehouseClient
import GatehouseProtocol

/// Records the changes that an observer is told about.
final class Witness: Sendable {
  private let seen = Locked<[SessionChange]>([])

  var changes: [SessionChange] { seen.withLock { $0 } }
  var kinds: [SessionChange.Kinds] { changes.map(\.kinds) }

  func note(_ change: SessionChange) { seen.withLock { $0.append(change) } }

  func watch(_ client: AuthClient) -> SessionObservation { client.observe { self.note($0) } }
}
