package import struct Foundation.Date

/// A user's account and its records, for the document that the user or an administrator gets.
///
/// The document contains no secrets. It also leaves out ended sessions, unused codes, emails that
/// wait to be sent, deliveries to hooks, and all events before the latest ``eventLimit``.
package struct AccountExport: Sendable {
  package let project: Project
  package let exportedAt: Date
  package let account: Account
  /// Live sessions, the newest first.
  package let sessions: [Session]
  package let consents: [Consent]
  package let passkeys: [Passkey]
  package let providerTokens: [ProviderToken]
  /// The kinds of work that are queued at the providers for the account, in the order of the
  /// providers' ids. For each provider the oldest first.
  package let queued: [OutboxTask.Kind]
  /// The latest ``eventLimit`` events about the account, newest first.
  package let events: [Event]
  /// Whether the document is for the user. It then says when administrators acted, but neither their
  /// names nor their addresses. It has no events about an earlier user of the account.
  package let isForUser: Bool

  static let eventLimit = 1000
}
