package import GatehouseModel
import GatehouseTokens

/// A verified notification of a provider: a security event token (RFC 8417).
package struct ProviderNotification: Sendable {
  /// The events that this server knows. Events of other types are ignored.
  package let events: [ProviderEvent]
  /// Names the notification, so that a repetition of it has no effect.
  package let use: SingleUseToken
}

/// A provider that sends notifications about its users.
protocol NotifyingProvider: IdentityProvider {
  /// Accepted values of `iss` in notifications, byte for byte.
  static var notificationIssuers: [String] { get }

  /// The events in a verified notification.
  ///
  /// - Throws: ``FederationError/unparsable(reason:)``.
  func events(
    in notification: VerifiedNotification, _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [ProviderEvent]
}
