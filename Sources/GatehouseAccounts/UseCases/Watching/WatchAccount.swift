package import Foundation
package import GatehouseModel

/// A signed-in device that wants to be told of its account's events.
///
/// Made by verifying its ID token. Says nothing of whether the session or the account still exists.
package struct WatchingSession: Hashable, Sendable {
  package let project: ProjectID
  let facts: IDTokenFacts

  package var uid: UID { facts.uid }
  /// When the ID token expires, and with it the right to be told.
  package var expiresAt: Date { facts.expiresAt }
}

/// What a device gets first.
package struct WatchBeginning: Sendable {
  package enum Missed: Sendable {
    /// Since the event that the device named, oldest first.
    case events([EventLink])
    /// The event is unknown, was removed, is another account's, or too many followed: the device has to read
    /// everything again.
    case unknown
  }

  package let missed: Missed
  /// The latest event of the account; nil if the log has none.
  package let latest: EventLink?
}

extension AccountsService {
  /// How many of an account's latest events are looked through. A device that missed more reads everything
  /// again, which is less work.
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
  /// The caller has to receive the account's events already: then the device misses nothing between this
  /// and the first of them.
  ///
  /// - Parameter last: The id of the last event that the device was told of, unchecked; nil for a device
  ///   that begins.
  /// - Throws: What ``currentUser(ofIDToken:in:now:)`` throws.
  package func beginWatching(
    _ session: WatchingSession, after last: String?
  ) async throws -> WatchBeginning {
    try await store.read { transaction in
      _ = try transaction.currentUser(session.facts, in: session.project)
      guard let last else {
        let latest = try transaction.latestEventLinks(
          EventFilter(uid: session.uid), before: .max, limit: 1, in: session.project)
        return WatchBeginning(missed: .events([]), latest: latest.first)
      }
      let latest = try transaction.latestEventLinks(
        EventFilter(uid: session.uid), before: .max, limit: Self.watchedBacklog,
        in: session.project)
      // Compared with the account's own events alone: the answer says nothing about others' ids.
      guard let id = EventID(last), let place = latest.firstIndex(where: { $0.event.id == id })
      else {
        return WatchBeginning(missed: .unknown, latest: latest.first)
      }
      let missed = latest[..<place].reversed().filter(\.event.kind.isWatched)
      return WatchBeginning(missed: .events(missed), latest: latest.first)
    }
  }
}
