package import GatehouseProtocol
import Synchronization

/// Accounts with an identity at Apple whose sessions were refreshed lately. Their kept tokens of Apple
/// are checked before those of other accounts.
///
/// The accounts are in memory only, and their number is bounded. The tokens of an account that is lost
/// here are checked later, in their turn.
package final class RefreshedAccounts: Sendable {
  package struct Member: Hashable, Sendable {
    package let project: ProjectID
    package let uid: UID
  }

  package static let limit = 4096

  private let members = Mutex<Set<Member>>([])

  package init() {}

  /// Adds an account. No effect if there are ``limit`` accounts already.
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
