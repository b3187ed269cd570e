package import GatehouseModel
import Synchronization

/// Learns whose request it is while the request is processed, for the log of requests. The user is known
/// only deep inside, where a token is verified or issued.
package final class RequestSubject: Sendable {
  private struct Known {
    var project: ProjectID?
    var uid: UID?
  }

  private let known = Mutex(Known())

  package init() {}

  package var project: ProjectID? { known.withLock { $0.project } }
  package var uid: UID? { known.withLock { $0.uid } }

  package func set(project: ProjectID?) { known.withLock { $0.project = project } }
  package func set(uid: UID) { known.withLock { $0.uid = uid } }
}
