package import GatehouseModel
import Synchronization

/// Accounts with an identity at Apple whose sessions were refreshed lately: their provider tokens are
/// checked before others'.
///
/// In memory only, and bounded: an account that is lost here is checked later, in its turn.
package final class RefreshedAccounts: Sendable {
  package struct Member: Hashable, Sendable {
    package let project: ProjectID
    package let uid: UID
  }

  package static let limit = 4096

  private let members = Mutex<Set<Member>>([])

  package init() {}

  /// No effect if there are ``limit`` accounts.
  package func insert(_ uid: UID, in project: ProjectID) {
    members.withLock { members in
      guard members.count < Self.limit else { return }
      members.insert(Member(project: project, uid: uid))
    }
  }

  /// Removes and returns at most `count` accounts.
  package func take(_ count: Int) -> [Member] {
    members.withLock { members in
      let taken = Array(members.prefix(count))
      members.subtract(taken)
      return taken
    }
  }
}
