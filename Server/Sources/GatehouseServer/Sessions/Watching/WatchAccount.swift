package import Foundation
package import GatehouseProtocol

/// A signed-in device that wants to be told of its account's events.
///
/// Created from its verified ID token. The session or the account may no longer exist.
package struct WatchingSession: Hashable, Sendable {
  package let project: ProjectID
  let facts: IDTokenFacts

  package var uid: UID { facts.uid }
  /// When the ID token expires, and with it the right to be told.
  package var expiresAt: Date { facts.expiresAt }
}

/// What a device gets first when it watches its account.
package struct WatchBeginning: Sendable {
  package enum Missed: Sendable {
    /// The events since the one that the device named, oldest first.
    case events([EventLink])
    /// The device has to read everything again: the event that it named is unknown, was removed or is
    /// another account's, or too many events followed.
    case unknown
  }

  package let missed: Missed
  /// The latest event of the account; nil if the log has none.
  package let latest: EventLink?
}

extension AccountsService {
  /// The number of an account's latest events among which the device's last event is looked for. A device
  /// that missed more events reads everything again, which is less work.
  package static var watchedBacklog: Int { 64 }

  /// - Throws: ``AccountsError/invalidIDToken``, ``AccountsError/tokenExpired``.
  package func watchingSession(
    ofIDToken idToken: String, in project: Project, now: Date
  ) throws(AccountsError) -> WatchingSession {
    WatchingSession(
      project: project.id, facts: try facts(ofIDToken: idToken, in: project, now: now))
  }

  /// Checks that the session is alive, and finds what its device missed.
  ///
  /// The caller has to receive the account's new events before it calls this function. Then the device
  /// misses no event in between.
  ///
  /// - Parameter last: The id of the last event that the device was told of, unchecked. Nil for a device
  ///   that was told of none.
  /// - Throws: What ``currentUser(ofIDToken:in:now:)`` throws.
  package func beginWatching(
    _ session: WatchingSession, after last: String?
  ) async throws -> WatchBeginning {
    try await store.read { transaction in
      _ = try transaction.currentUser(session.facts, in: session.project)
      guard let last else {
        let latest = try transaction.latestEventLinks(
          of: session.uid, limit: 1, in: session.project)
        return WatchBeginning(missed: .events([]), latest: latest.first)
      }
      let latest = try transaction.latestEventLinks(
        of: session.uid, limit: Self.watchedBacklog, in: session.project)
      // Compared only with the account's own events: the response reveals nothing about the ids of
      // other accounts' events.
      guard let id = EventID(last), let place = latest.firstIndex(where: { $0.event.id == id })
      else {
        return WatchBeginning(missed: .unknown, latest: latest.first)
      }
      let missed = latest[..<place].reversed().filter(\.event.kind.isWatched)
      return WatchBeginning(missed: .events(missed), latest: latest.first)
    }
  }
}
