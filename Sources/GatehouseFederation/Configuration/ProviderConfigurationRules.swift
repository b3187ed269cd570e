package import GatehouseModel

/// What a provider's configuration needs to be one: the same over HTTP and on the command line.
package enum ProviderConfigurationRules {
  private static let maximumTextBytes = 8192
  private static let maximumList = 64

  /// - Parameter allowsPlainHTTP: For an issuer on loopback, in `--dev`.
  /// - Returns: Everything that is wrong.
  package static func faults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults = sizeFaults(in: provider)
    if provider.id.isOpenIDConnect {
      faults += openIDConnectFaults(in: provider, allowsPlainHTTP: allowsPlainHTTP)
    }
    if provider.id == .facebook { faults += facebookFaults(in: provider) }
    return faults
  }

  private static func openIDConnectFaults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    if provider.clientID.isEmpty { faults.append(.clientIDMissing) }
    if let issuer = provider.issuer, !issuer.isEmpty {
      let url = OutboundURL(issuer)
      let isAllowed = url.map { $0.isSecure || allowsPlainHTTP && $0.namesLoopback } ?? false
      if !isAllowed { faults.append(.issuerForm) }
    } else {
      faults.append(.issuerMissing)
    }
    switch (provider.isPublicClient, provider.clientSecret) {
    case (true, _?): faults.append(.secretOfPublicClient)
    case (false, nil) where provider.responseType.code: faults.append(.secretMissing)
    default: break
    }
    return faults
  }

  private static func facebookFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    let ids = [provider.clientID] + provider.additionalClientIDs
    if !ids.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      faults.append(.clientIDForm)
    }
    if provider.trustEmail != .never { faults.append(.emailTrust) }
    return faults
  }

  private static func sizeFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    let lists = [
      provider.additionalClientIDs, provider.trustedAudiences, provider.apple?.bundleIDs ?? [],
    ]
    let texts =
      [
        provider.displayName, provider.clientID, provider.clientSecret?.reveal(), provider.issuer,
        provider.apple?.teamID, provider.apple?.keyID, provider.apple?.privateKey?.reveal(),
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
