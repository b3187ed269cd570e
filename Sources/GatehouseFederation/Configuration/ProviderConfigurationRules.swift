package import GatehouseModel
import GatehouseTokens

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
    } else if provider.clientKey != nil || provider.responseMode != nil
      || provider.secretPlace != nil || !provider.claimMapping.isEmpty
    {
      faults.append(.openIDConnectOnly)
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
    switch (provider.isPublicClient, provider.provesItself) {
    case (true, true): faults.append(.secretOfPublicClient)
    case (false, false) where provider.responseType.code: faults.append(.secretMissing)
    default: break
    }
    if provider.clientSecret != nil, provider.clientKey != nil { faults.append(.secretAndKey) }
    if let key = provider.clientKey { faults += keyFaults(in: key) }
    if provider.responseMode == .query, !provider.takesCode { faults.append(.idTokenInQuery) }
    return faults
  }

  private static func keyFaults(in key: ClientKey) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    if let id = key.keyID,
      !(1...256).contains(id.utf8.count) || !id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    {
      faults.append(.clientKeyID)
    }
    do throws(PrivateKeyError) {
      _ = try PrivateKeySigner(key)
    } catch {
      faults.append(error == .algorithm ? .clientKeyAlgorithm : .clientKeyForm)
    }
    return faults
  }

  private static func facebookFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    let ids = [provider.clientID] + provider.additionalClientIDs
    // Google's resource takes any text. Only one that is asked with has to be an app's id.
    if provider.isEnabled, !ids.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
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
  /// Whether there is something by which we prove to the provider who we are.
  var provesItself: Bool { clientSecret != nil || clientKey != nil }

  /// Whether a browser brings back a code; an ID token otherwise.
  var takesCode: Bool { responseType.code || provesItself || isPublicClient }
}
