import GatehouseFederation
package import GatehouseModel

/// What a provider's configuration needs to be one, over HTTP and on the command line.
package enum ProviderConfigurationRules {
  private static let maximumTextBytes = 8192
  private static let maximumList = 64

  /// - Parameter allowsPlainHTTP: For an issuer on loopback, in `--dev`.
  /// - Returns: What is wrong, as the answer's message; nil if nothing is.
  package static func fault(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> String? {
    if let fault = sizeFault(in: provider) { return fault }
    guard provider.id.isOpenIDConnect else { return nil }
    if provider.clientID.isEmpty {
      return "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty."
    }
    guard let issuer = provider.issuer else {
      return "MISSING_ISSUER : Issuer in OAuthIdpConfig cannot be empty."
    }
    guard let url = OutboundURL(issuer),
      url.isSecure || allowsPlainHTTP && (LoopbackName.isLoopback(url.host) || url.host == "::1")
    else {
      return "INVALID_ISSUER : The issuer has to be an https URL without a fragment."
    }
    if provider.responseType.code, provider.clientSecret == nil {
      return "INVALID_CONFIG : client_secret cannot be empty for code flow."
    }
    return nil
  }

  private static func sizeFault(in provider: ProviderConfiguration) -> String? {
    let lists = [
      provider.additionalClientIDs, provider.trustedAudiences, provider.apple?.bundleIDs ?? [],
    ]
    let texts =
      [
        provider.displayName, provider.clientID, provider.clientSecret?.reveal(), provider.issuer,
        provider.apple?.teamID, provider.apple?.keyID, provider.apple?.privateKey?.reveal(),
      ].compactMap(\.self) + lists.joined()
    if lists.contains(where: { $0.count > maximumList }) {
      return "INVALID_CONFIG : At most \(maximumList) values in a list."
    }
    return texts.contains { $0.utf8.count > maximumTextBytes }
      ? "INVALID_CONFIG : At most \(maximumTextBytes) bytes in a field." : nil
  }
}
