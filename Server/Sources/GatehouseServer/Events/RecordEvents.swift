package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// Saves the account, and records what changed.
  ///
  /// - Parameter before: The account as it was read in this transaction; nil for a new account.
  func save(
    _ account: Account, replacing before: Account?, in project: ProjectID, now: Date
  ) throws {
    try save(account, isNew: before == nil, replacing: before, in: project)
    try followPasskeys(of: account, replacing: before, in: project)
    for item in AccountDifference(from: before, to: account).items {
      try record(item.kind, of: account.uid, details: item.details, in: project, now: now)
    }
  }

  /// Records that an account was erased, and erases the sources of its events, which say where its user
  /// was.
  func recordErasure(of uid: UID, in project: ProjectID, now: Date) throws {
    try eraseEventSources(of: uid, in: project)
    var origin = EventOrigin.current
    if origin.actor == .user { origin.source = EventSource() }
    try append(
      Event(
        project: project, kind: .deleted, uid: uid, at: now, actor: origin.actor,
        source: origin.source))
  }

  /// Records an event that ``EventOrigin/current`` caused.
  package func record(
    _ kind: EventKind, of uid: UID?, details: [String: String] = [:], in project: ProjectID?,
    now: Date
  ) throws {
    let origin = EventOrigin.current
    try append(
      Event(
        project: project, kind: kind, uid: uid, at: now, actor: origin.actor, details: details,
        source: origin.source))
  }
}
