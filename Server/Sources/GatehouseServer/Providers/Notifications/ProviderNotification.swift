import GatehouseProtocol

/// A verified notification of a provider: a security event token (RFC 8417).
package struct ProviderNotification: Sendable {
  /// The events that this server knows. Events of other types are ignored.
  package let events: [ProviderEvent]
  /// Identifies the notification, so that a replay of it has no effect.
  package let use: SingleUseToken
}
