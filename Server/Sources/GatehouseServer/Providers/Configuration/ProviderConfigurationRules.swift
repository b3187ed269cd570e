import GatehouseProtocol

/// The rules for a provider's configuration: the same over HTTP and on the command line.
package enum ProviderConfigurationRules {
  private static let maximumTextBytes = 8192
  private static let maximumList = 64

  /// - Parameter allowsPlainHTTP: Whether an issuer on loopback may use http, as in `--dev`.
  /// - Returns: All faults.
  package static func faults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults = sizeFaults(in: provider)
    if !provider.id.isOpenIDConnect, provider.hasOpenIDConnectSettings {
      faults.append(.openIDConnectOnly)
    }
    if let type = IdentityProviders.type(of: provider.id) {
      faults += type.faults(in: provider, allowsPlainHTTP: allowsPlainHTTP)
    }
    faults += parameterFaults(in: provider)
    return faults
  }

  private static func parameterFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    provider.allowedParameters.filter { !AuthorizationParameters.isAllowable($0) }
      .map { .parameterReserved($0) }
  }

  private static func sizeFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    let lists = [
      provider.additionalClientIDs, provider.trustedAudiences, provider.apple?.bundleIDs ?? [],
      provider.allowedParameters, provider.scopes, provider.clients.map(\.clientID),
      provider.clients.flatMap(\.bundleIDs), provider.clients.compactMap { $0.secret?.reveal() },
    ]
    let texts =
      [
        provider.displayName, provider.clientID, provider.clientSecret?.reveal(), provider.issuer,
        provider.discoveryURL, provider.notificationForwardURL,
        provider.clientKey?.privateKey.reveal(), provider.apple?.teamID, provider.apple?.keyID,
        provider.apple?.privateKey?.reveal(),
      ].compactMap(\.self) + lists.joined()
    var faults: [ProviderConfigurationFault] = []
    if lists.contains(where: { $0.count > maximumList }) {
      faults.append(.listTooLong(maximum: maximumList))
    }
    if texts.contains(where: { $0.utf8.count > maximumTextBytes }) {
      faults.append(.textTooLong(maximumBytes: maximumTextBytes))
    }
    return faults
  }
}

extension ProviderConfiguration {
  /// Whether it has settings that only OpenID Connect providers have.
  fileprivate var hasOpenIDConnectSettings: Bool {
    clientKey != nil || responseMode != nil || secretPlace != nil || !claimMapping.isEmpty
      || !clients.isEmpty || discoveryURL != nil || !scopes.isEmpty
  }
}
