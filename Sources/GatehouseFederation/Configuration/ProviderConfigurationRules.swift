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
      || provider.secretPlace != nil || !provider.claimMapping.isEmpty || !provider.clients.isEmpty
    {
      faults.append(.openIDConnectOnly)
    }
    faults += parameterFaults(in: provider)
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
    if provider.responseType.code, provider.responseType.idToken {
      faults.append(.bothResponseTypes)
    }
    faults += clientFaults(in: provider)
    if let key = provider.clientKey { faults += keyFaults(in: key) }
    if provider.responseMode == .query, !provider.takesCode { faults.append(.idTokenInQuery) }
    return faults
  }

  /// A client without a secret proves itself by the first one's key, or is public as it is.
  private static func clientFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    let ids = [provider.clientID] + provider.clients.map(\.clientID)
    let bundleIDs = provider.clients.flatMap(\.bundleIDs)
    for list in [ids, bundleIDs] {
      for (index, text) in list.enumerated() where list[..<index].containsBytes(of: text) {
        faults.append(.clientRepeated(text))
      }
    }
    if provider.clients.contains(where: { $0.clientID.isEmpty || $0.bundleIDs.contains("") }) {
      faults.append(.clientIDMissing)
    }
    let lacksProof = provider.clients.contains {
      $0.secret == nil && provider.clientKey == nil && !provider.isPublicClient
    }
    if provider.takesCode, lacksProof { faults.append(.secretMissing) }
    return faults
  }

  private static func parameterFaults(
    in provider: ProviderConfiguration
  ) -> [ProviderConfigurationFault] {
    provider.allowedParameters.filter { !AuthorizationParameters.isAllowable($0) }
      .map { .parameterReserved($0) }
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
      provider.allowedParameters, provider.clients.map(\.clientID),
      provider.clients.flatMap(\.bundleIDs), provider.clients.compactMap { $0.secret?.reveal() },
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
