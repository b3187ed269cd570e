import GatehouseProtocol

extension ProviderResource {
  /// - Parameters:
  ///   - provider: With the project's apps: see `Transaction.providerWithApps(_:in:)`.
  ///   - showsSecrets: Whether to show the client secret, Apple's private key, and the receiver of notifications,
  ///     whose URL may contain a secret. Other secrets are never returned.
  init(_ provider: ProviderConfiguration, of project: Project, showsSecrets: Bool) {
    let kind: Kind =
      provider.id.isOpenIDConnect ? .openIDConnect : provider.id == .apple ? .apple : .builtIn
    let collection: ProviderCollection =
      provider.id.isOpenIDConnect ? .openIDConnect : .builtIn
    self.init(
      name: "projects/\(project.id)/\(collection.rawValue)/\(provider.id.text)", kind: kind)
    enabled = provider.isEnabled
    displayName = provider.displayName
    clientID = provider.clientID.isEmpty ? nil : provider.clientID
    if showsSecrets {
      clientSecret = provider.clientSecret?.reveal()
      applePrivateKey = provider.apple?.privateKey?.reveal()
      notificationForwardURL = provider.notificationForwardURL
    }
    issuer = provider.issuer
    // The flow in use, whether chosen or by default.
    responseTypeCode = provider.takesCode
    responseTypeIDToken = !provider.takesCode
    bundleIDs = provider.apple?.bundleIDs
    appleTeamID = provider.apple?.teamID
    appleKeyID = provider.apple?.keyID
    additionalClientIDs = provider.additionalClientIDs
    trustedAudiences = provider.trustedAudiences
    allowedParameters = provider.allowedParameters
    trustEmail = provider.trustEmail.rawValue
    requireNonce = provider.requiresNonce
    keepRefreshToken = provider.keepsRefreshToken
    publicClient = provider.isPublicClient
    discoveryURL = provider.discoveryURL
    scopes = provider.scopes
    show(settingsOf: provider)
    derived = Derived(provider, of: project)
  }

  /// Applies the settings that the mask names; without a mask, those in the resource.
  ///
  /// - Throws: ``APIError`` for a value that its field doesn't allow.
  func apply(to provider: inout ProviderConfiguration, under mask: FieldMask) throws(APIError) {
    func isNamed<Value>(_ path: String, _ value: Value?) -> Bool {
      mask.covers(path, presentInBody: value != nil)
    }
    func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    let (oldIssuer, oldDiscovery) = (provider.issuer ?? "", provider.discoveryURL ?? "")
    if isNamed("enabled", enabled) { provider.isEnabled = enabled ?? false }
    if isNamed("displayName", displayName) { provider.displayName = nonEmpty(displayName) }
    if isNamed("clientId", clientID) { provider.clientID = clientID ?? "" }
    if isNamed("clientSecret", clientSecret) {
      provider.clientSecret = nonEmpty(clientSecret).map { Secret($0) }
    }
    if isNamed("issuer", issuer) { provider.issuer = nonEmpty(issuer) }
    if isNamed("discoveryUrl", discoveryURL) { provider.discoveryURL = nonEmpty(discoveryURL) }
    if isNamed("scopes", scopes) { provider.scopes = scopes ?? [] }
    if isNamed("responseType.code", responseTypeCode) {
      provider.responseType.code = responseTypeCode ?? false
    }
    if isNamed("responseType.idToken", responseTypeIDToken) {
      provider.responseType.idToken = responseTypeIDToken ?? false
    }
    if isNamed("additionalClientIds", additionalClientIDs) {
      provider.additionalClientIDs = additionalClientIDs ?? []
    }
    if isNamed("trustedAudiences", trustedAudiences) {
      provider.trustedAudiences = trustedAudiences ?? []
    }
    if isNamed("allowedParameters", allowedParameters) {
      provider.allowedParameters = allowedParameters ?? []
    }
    if isNamed("requireNonce", requireNonce) { provider.requiresNonce = requireNonce ?? false }
    if isNamed("keepRefreshToken", keepRefreshToken) {
      provider.keepsRefreshToken = keepRefreshToken
    }
    if isNamed("publicClient", publicClient) { provider.isPublicClient = publicClient ?? false }
    if isNamed("trustEmail", trustEmail), let trustEmail {
      guard let trust = EmailTrust(rawValue: trustEmail) else {
        throw .invalidConfiguration(
          .invalidConfig, "trustEmail is always, authoritative or never.")
      }
      provider.trustEmail = trust
    }
    if isNamed("notificationForwardUrl", notificationForwardURL) {
      provider.notificationForwardURL = nonEmpty(notificationForwardURL)
    }
    if provider.id == .apple { applyApple(to: &provider, under: mask) }
    try applySettings(to: &provider, under: mask)
    if !oldIssuer.isEmpty,
      !(provider.issuer ?? "").hasSameBytes(as: oldIssuer)
        || !(provider.discoveryURL ?? "").hasSameBytes(as: oldDiscovery)
    {
      forgetSecrets(of: &provider)
    }
  }

  private func applyApple(to provider: inout ProviderConfiguration, under mask: FieldMask) {
    func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
    var apple = provider.apple ?? ProviderConfiguration.AppleSettings(bundleIDs: [])
    if mask.covers("appleSignInConfig.bundleIds", presentInBody: bundleIDs != nil) {
      apple.bundleIDs = bundleIDs ?? []
    }
    let flow = "appleSignInConfig.codeFlowConfig"
    if mask.covers("\(flow).teamId", presentInBody: appleTeamID != nil) {
      apple.teamID = nonEmpty(appleTeamID)
    }
    if mask.covers("\(flow).keyId", presentInBody: appleKeyID != nil) {
      apple.keyID = nonEmpty(appleKeyID)
    }
    if mask.covers("\(flow).privateKey", presentInBody: applePrivateKey != nil) {
      apple.privateKey = nonEmpty(applePrivateKey).map { Secret($0) }
    }
    provider.apple = apple
  }
}

/// The two collections of provider configurations, by the names in their paths.
enum ProviderCollection: String, Sendable {
  case openIDConnect = "oauthIdpConfigs"
  case builtIn = "defaultSupportedIdpConfigs"

  func contains(_ id: ProviderID) -> Bool {
    switch self {
    case .openIDConnect: id.isValidOpenIDConnectName
    case .builtIn: IdentityProviders.builtIn.contains { $0.id == id }
    }
  }
}
