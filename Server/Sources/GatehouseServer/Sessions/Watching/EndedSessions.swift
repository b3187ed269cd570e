package import GatehouseProtocol

/// Why a session is over, as its device is told.
package enum WatchedEnd: String, Hashable, Sendable, CaseIterable {
  case deleted, disabled
  /// The session ended, or all tokens were revoked.
  case revoked
}

extension AccountsService {
  /// How many sessions are checked in one transaction.
  private static var sessionsPerRead: Int { 100 }

  /// Finds which sessions have ended.
  ///
  /// - Returns: The ended sessions, each with the reason.
  package func endedSessions(
    among sessions: [WatchingSession]
  ) async throws -> [WatchingSession: WatchedEnd] {
    var ended: [WatchingSession: WatchedEnd] = [:]
    var left = sessions[...]
    while !left.isEmpty {
      let some = left.prefix(Self.sessionsPerRead)
      left = left.dropFirst(Self.sessionsPerRead)
      let found = try await store.read { try $0.ended(among: some) }
      ended.merge(found) { first, _ in first }
    }
    return ended
  }
}

extension Transaction {
  fileprivate func ended(
    among sessions: ArraySlice<WatchingSession>
  ) throws -> [WatchingSession: WatchedEnd] {
    var accounts: [AccountKey: Account?] = [:]
    var ended: [WatchingSession: WatchedEnd] = [:]
    for session in sessions {
      let key = AccountKey(project: session.project, uid: session.uid)
      let account: Account?
      if let known = accounts[key] {
        account = known
      } else {
        account = try self.account(session.uid, in: session.project)
        accounts[key] = .some(account)
      }
      do {
        _ = try currentUser(session.facts, of: account, in: session.project)
      } catch AccountsError.userNotFound {
        ended[session] = .deleted
      } catch AccountsError.userDisabled {
        ended[session] = .disabled
      } catch AccountsError.tokenExpired {
        ended[session] = .revoked
      }
    }
    return ended
  }
}

/// An account of one of the server's projects.
package struct AccountKey: Hashable, Sendable {
  package let project: ProjectID
  package let uid: UID

  package init(project: ProjectID, uid: UID) {
    self.project = project
    self.uid = uid
  }
}
