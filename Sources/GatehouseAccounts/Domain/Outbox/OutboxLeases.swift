package import Foundation

/// How long the claim of an entry lasts. Seconds.
///
/// Each kind of work has a lease of its own, longer than any of its attempts. If a worker crashes, its
/// entries wait for the end of their leases, and so do later entries with the same order key. A slow mail
/// server must not delay the events of a hook that way.
package struct OutboxLeases: Sendable {
  /// For work that is local, or whose call is limited to a few seconds.
  package static let shortest: TimeInterval = 60

  private let providerWork: TimeInterval
  private let mail: TimeInterval

  /// - Parameters:
  ///   - providerCallSeconds: The time limit of one call to a provider. An attempt may send requests for up
  ///     to eight clients, after fetching keys.
  ///   - mailAttemptSeconds: How long an attempt to send an email may take.
  package init(providerCallSeconds: TimeInterval = 0, mailAttemptSeconds: TimeInterval = 0) {
    providerWork = max(Self.shortest, providerCallSeconds * 10)
    mail = max(Self.shortest, mailAttemptSeconds * 2)
  }

  package func seconds(for kind: OutboxTask.Kind) -> TimeInterval {
    switch kind {
    case .exchangeCode, .revoke: providerWork
    case .sendMail: mail
    case .applyEvent, .forwardNotification, .deliverEvent: Self.shortest
    }
  }
}
