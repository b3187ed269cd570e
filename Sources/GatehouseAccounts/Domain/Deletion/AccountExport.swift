package import struct Foundation.Date

/// Everything that is stored about a user, without secrets.
package struct AccountExport: Sendable {
  package let project: Project
  package let exportedAt: Date
  package let account: Account
  /// Live sessions, the newest first.
  package let sessions: [Session]
  package let consents: [Consent]
  package let providerTokens: [ProviderToken]
  /// The kinds of work that are queued for the account, oldest first.
  package let queued: [OutboxTask.Kind]
  /// The latest ``eventLimit`` events about the account, newest first.
  package let events: [Event]
  /// Whether it is for the user, and not for an administrator: then it has nothing about administrators but
  /// that they acted.
  package let isForUser: Bool

  static let eventLimit = 1000
}
