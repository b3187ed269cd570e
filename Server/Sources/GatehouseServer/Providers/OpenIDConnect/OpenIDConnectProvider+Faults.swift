import GatehouseProtocol
import GatehouseTokens

extension OpenIDConnectProvider {
  static func faults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    if provider.clientID.isEmpty { faults.append(.clientIDMissing) }
    let isAllowed = { (text: String) in
      OutboundURL(text).map { $0.isSecure || allowsPlainHTTP && $0.namesLoopback } ?? false
    }
    if let issuer = provider.issuer, !issuer.isEmpty {
      if issuer.firstRange(of: "/.well-known/") != nil {
        faults.append(.issuerIsDocument)
      } else if !isAllowed(issuer) {
        faults.append(.issuerForm)
      }
    } else {
      faults.append(.issuerMissing)
    }
    if let url = provider.discoveryURL, !isAllowed(url) { faults.append(.discoveryURLForm) }
    if !AuthorizationParameters.areScopes(provider.scopes) { faults.append(.scopeForm) }
    if provider.responseType.code, provider.responseType.idToken {
      faults.append(.bothResponseTypes)
    }
    switch (provider.isPublicClient, provider.provesItself) {
    case (true, true): faults.append(.secretOfPublicClient)
    case (false, false) where provider.responseType.code: faults.append(.secretMissing)
    default: break
    }
    if provider.clientSecret != nil, provider.clientKey != nil { faults.append(.secretAndKey) }
    faults += clientFaults(in: provider)
    if let key = provider.clientKey { faults += keyFaults(in: key) }
    if provider.responseMode == .query, !provider.takesCode { faults.append(.idTokenInQuery) }
    return faults
  }

  /// A client without a secret authenticates with the first client's key, or is public like the
  /// first client.
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
}
