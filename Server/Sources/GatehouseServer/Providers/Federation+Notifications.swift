import GatehouseProtocol
import GatehouseTokens

package import struct Foundation.Date

extension Federation {
  /// Verifies a notification: signature, issuer, audience and age.
  ///
  /// - Parameter jws: In the compact serialization.
  /// - Throws: ``FederationError/unsupportedProvider(_:)`` for a provider that sends no
  ///   notifications; ``FederationError/unreachable(_:)`` if the provider's keys can't be fetched,
  ///   so that the notification may be valid; otherwise the reason why the token is rejected.
  package func notification(
    _ jws: String, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ProviderNotification {
    let (provider, context) = try provider(for: configuration, now: now)
    guard let provider = provider as? any NotifyingProvider,
      let rules = try provider.idTokenRules(configuration)
    else { throw .unsupportedProvider(configuration.id) }
    let verified = try await NotificationVerification(
      remoteKeys: context.services.remoteKeys,
      clockSkewSeconds: context.services.options.clockSkewSeconds
    ).verify(
      jws, rules, issuers: type(of: provider).notificationIssuers, configuration, now: now)
    return ProviderNotification(
      events: try provider.events(in: verified, configuration),
      use: SingleUseToken(
        digest: verified.signingInputSHA256,
        expiresAt: now.addingTimeInterval(
          Double(NotificationVerification.maximumAgeSeconds + 86_400))))
  }
}
