import GatehouseModel
import Synchronization

/// Limits how many calls may be in progress at the same time: in all, for each project, and for each host
/// that a project calls.
///
/// Hosts are slow or don't answer, and calls then last until their time limit. With the shares of
/// `FairShares`, a project whose hosts don't answer doesn't stop the calls of others. Half of a project's
/// share is the most for one host, so that one dead host doesn't stop the project's own other calls.
final class CallLimit: Sendable {
  private struct Destination: Hashable {
    let project: ProjectID?
    let host: String
  }

  private struct Calls {
    var projects: FairShares<ProjectID?>
    /// Only those with calls in progress.
    var hosts: [Destination: Int] = [:]
  }

  private let calls: Mutex<Calls>

  init(_ maximum: Int) { calls = Mutex(Calls(projects: FairShares(places: maximum))) }

  /// - Parameters:
  ///   - project: Nil for a call of the server itself, which has a share like a project.
  ///   - reserved: The number of calls that stay free for other purposes.
  /// - Returns: False if there are too many calls. After true the caller must call ``leave(_:_:)``.
  func enter(_ project: ProjectID?, _ host: String, leaving reserved: Int = 0) -> Bool {
    calls.withLock { calls in
      let destination = Destination(project: project, host: host)
      let forHost = (calls.projects.share(of: project, leaving: reserved) + 1) / 2
      guard calls.hosts[destination, default: 0] < forHost,
        calls.projects.take(for: project, leaving: reserved)
      else { return false }
      calls.hosts[destination, default: 0] += 1
      return true
    }
  }

  func leave(_ project: ProjectID?, _ host: String) {
    calls.withLock { calls in
      let destination = Destination(project: project, host: host)
      let count = calls.hosts[destination, default: 1] - 1
      calls.hosts[destination] = count > 0 ? count : nil
      calls.projects.giveBack(of: project)
    }
  }
}
