package import GatehouseProtocol
import Synchronization

/// Collects the project and the user of a request, for the log of requests. The user is known only
/// when a token is verified or issued, deep inside the processing of the request.
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
