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

  /// How long the lease of an attempt lasts, of which `attempt` is the number, from 1.
  ///
  /// It is at least as long as the delay after a failed attempt: an attempt that doesn't end may have
  /// crashed the process, and should not do so every minute. The delay is random, so that entries which were
  /// claimed together with such an entry are not claimed together with it every time.
  package func seconds(
    for kind: OutboxTask.Kind, attempt: Int, using generator: inout some RandomNumberGenerator
  ) -> TimeInterval {
    max(seconds(for: kind), OutboxBackoff.seconds(afterAttempts: attempt, using: &generator))
  }

  package func seconds(for kind: OutboxTask.Kind) -> TimeInterval {
    switch kind {
    case .exchangeCode, .revoke: providerWork
    case .sendMail: mail
    case .applyEvent, .forwardNotification, .deliverEvent: Self.shortest
    }
  }
}
