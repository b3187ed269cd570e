package import GatehouseProtocol

package import struct Foundation.Date

extension Federation {
  /// Asks the provider whether a refresh token is still valid, by using it (RFC 6749 §6). The tokens
  /// of the response are dropped.
  ///
  /// - Parameter clientID: The client to which the token was issued. If nil, the likely clients are
  ///   tried one after another.
  /// - Returns: False if the provider responds `invalid_grant`.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)``,
  ///   ``FederationError/unreachable(_:)`` or ``FederationError/refusedByProvider(status:error:)``.
  package func isValid(
    _ refreshToken: Secret<String>, clientID: String?, for configuration: ProviderConfiguration,
    now: Date
  ) async throws(FederationError) -> Bool {
    let (provider, context) = try provider(for: configuration, now: now)
    do throws(FederationError) {
      _ = try await context.answer(
        toGrant: [.init("grant_type", "refresh_token"), .init("refresh_token", refreshToken)],
        at: try await provider.configuredCodeEndpoints(
          clientID: clientID, redirectURI: nil, in: context))
      return true
    } catch .refusedByProvider(_, let error?) where error.hasSameBytes(as: "invalid_grant") {
      return false
    }
  }
}
