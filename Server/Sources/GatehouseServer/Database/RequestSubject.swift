package import GatehouseProtocol
import Synchronization

/// Collects what the log says about a request: project, user and, of a sign-in, the method. The user is known only
/// when a token is verified or issued, deep inside the processing of the request.
package final class RequestSubject: Sendable {
  private struct Known {
    var project: ProjectID?
    var uid: UID?
    var method: String?
  }

  private let known = Mutex(Known())

  package init() {}

  package var project: ProjectID? { known.withLock { $0.project } }
  package var uid: UID? { known.withLock { $0.uid } }
  package var method: String? { known.withLock { $0.method } }

  package func set(project: ProjectID?) { known.withLock { $0.project = project } }
  package func set(uid: UID) { known.withLock { $0.uid = uid } }
  package func set(method: String) { known.withLock { $0.method = method } }
}
