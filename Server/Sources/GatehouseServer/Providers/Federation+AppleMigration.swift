import GatehouseProtocol

package import struct Foundation.Date

extension Federation {
  /// Begins a migration of users. Apple's access token for the migration is valid for an hour.
  ///
  /// - Parameter clientID: The client id of the app that moves, or moved.
  /// - Throws: ``FederationError/unsupportedProvider(_:)`` unless the configuration is Apple's;
  ///   ``FederationError/unparsable(reason:)`` if Apple's response has no access token; otherwise
  ///   the errors of ``exchangeAuthorizationCode(_:redirectURI:codeVerifier:clientID:for:now:)``.
  package func appleMigration(
    of clientID: String, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> AppleMigration {
    let (provider, context) = try provider(for: configuration, now: now)
    guard let apple = provider as? AppleProvider else {
      throw .unsupportedProvider(configuration.id)
    }
    return try await AppleMigration(apple, context, clientID: clientID)
  }
}
