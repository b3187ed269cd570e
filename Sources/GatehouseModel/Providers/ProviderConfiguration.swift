/// How one project signs people in with one provider.
///
/// Follows Google's admin resources `defaultSupportedIdpConfigs` and `oauthIdpConfigs`; what those
/// lack is marked as an extension.
public struct ProviderConfiguration: Sendable {
  public var id: ProviderID
  public var isEnabled: Bool
  public var displayName: String?
  /// For Apple the Services ID of the web flow, for Facebook the app id; for others the first
  /// client id.
  public var clientID: String
  /// Extension: more client ids of the same application, one per platform.
  public var additionalClientIDs: [String]
  /// Extension: further clients of an OpenID Connect provider, for apps that have one of their own.
  public var clients: [ProviderClient]
  /// Bundle ids of the project's registered apps: audiences of Apple's tokens, beside
  /// ``AppleSettings/bundleIDs``. `StoreTransaction.providersWithApps(in:)` adds them; they
  /// aren't stored.
  public var appBundleIDs: [String]
  /// Extension: audiences that may stand beside ours in a token's `aud` array.
  public var trustedAudiences: [String]
  /// For Facebook the app secret.
  public var clientSecret: Secret<String>?
  /// Extension: where an OpenID Connect provider wants the secret; nil as its discovery document says.
  public var secretPlace: SecretPlace?
  /// Extension: what stands in a client secret's place.
  public var clientKey: ClientKey?
  /// Extension: a client without a secret, whose codes PKCE alone protects (RFC 6749 §2.1, RFC
  /// 7636).
  public var isPublicClient: Bool
  /// The issuer of an OpenID Connect provider. The built-in ones' is the vendor's, and nil here.
  public var issuer: String?
  /// Which flow a browser takes; neither leaves it to ``takesCode``.
  public var responseType: ResponseType
  /// Extension: by which way answers come to this server; nil leaves it to the server.
  public var responseMode: ResponseMode?
  /// Extension: which claims of an OpenID Connect provider say what.
  public var claimMapping: ClaimMapping
  /// Extension: whether this provider's word about an email address counts.
  public var trustEmail: EmailTrust
  /// Extension: whether a token without a nonce is refused.
  public var requiresNonce: Bool
  /// Extension: names of parameters that apps may add to the authorization request, beside those that
  /// any app may.
  public var allowedParameters: [String]
  /// Extension: whether the server keeps the refresh tokens that the provider issues, encrypted, so
  /// that it can revoke them when an account is deleted. Nil: for Apple yes, for others no, because a
  /// copy of the database with its master key would contain them.
  public var keepsRefreshToken: Bool?
  public var apple: AppleSettings?

  public init(id: ProviderID, clientID: String, trustEmail: EmailTrust) {
    self.id = id
    self.clientID = clientID
    self.trustEmail = trustEmail
    isEnabled = false
    isPublicClient = false
    claimMapping = ClaimMapping()
    additionalClientIDs = []
    clients = []
    appBundleIDs = []
    allowedParameters = []
    trustedAudiences = []
    responseType = ResponseType(code: false, idToken: false)
    requiresNonce = false
  }

  /// Every audience a token of this provider may be for: client ids and, for Apple, bundle ids.
  public var audiences: [String] {
    var audiences: [String] = []
    let native = id == .apple ? (apple?.bundleIDs ?? []) + appBundleIDs : []
    for audience in [clientID] + additionalClientIDs + clients.map(\.clientID) + native
    where !audience.isEmpty && !audiences.containsBytes(of: audience) {
      audiences.append(audience)
    }
    return audiences
  }

  /// Whether refresh tokens are kept: as configured, or as is usual for the provider.
  public var isKeepingRefreshTokens: Bool { keepsRefreshToken ?? (id == .apple) }

  /// Whether there is something by which we prove to the provider who we are.
  public var provesItself: Bool { clientSecret != nil || clientKey != nil }

  /// Whether a browser brings back a code; an ID token otherwise. Where nothing was chosen, a code for
  /// a client that can redeem one: an ID token passes the browser (RFC 9700 §2.1.2).
  public var takesCode: Bool {
    responseType.code || !responseType.idToken && (provesItself || isPublicClient)
  }

  /// The configuration as the app with `bundleID` uses it: with its own client's id and secret, if it
  /// has a client of its own.
  public func used(byAppWith bundleID: String?) -> ProviderConfiguration {
    guard let bundleID,
      let client = clients.first(where: { client in
        client.bundleIDs.contains { $0.utf8.elementsEqual(bundleID.utf8) }
      })
    else { return self }
    return used(by: client)
  }

  /// The configuration as the client with `clientID` uses it; nil if there is no such client (any
  /// more).
  public func used(byClient clientID: String) -> ProviderConfiguration? {
    if clientID.utf8.elementsEqual(self.clientID.utf8) { return self }
    return clients.first { $0.clientID.utf8.elementsEqual(clientID.utf8) }.map { used(by: $0) }
  }

  private func used(by client: ProviderClient) -> ProviderConfiguration {
    var configuration = self
    configuration.clientID = client.clientID
    if let secret = client.secret {
      configuration.clientSecret = secret
      configuration.clientKey = nil
      configuration.isPublicClient = false
    }
    return configuration
  }

  public struct ResponseType: Hashable, Sendable {
    public var code: Bool
    public var idToken: Bool

    public init(code: Bool, idToken: Bool) {
      self.code = code
      self.idToken = idToken
    }
  }

  /// `appleSignInConfig`: the app's bundle ids and what mints its client secret.
  public struct AppleSettings: Sendable {
    public var bundleIDs: [String]
    /// Ten characters, from Apple's membership page.
    public var teamID: String?
    /// The identifier of the key below.
    public var keyID: String?
    /// The `.p8` file's text (PKCS #8, P-256).
    public var privateKey: Secret<String>?

    public init(
      bundleIDs: [String], teamID: String? = nil, keyID: String? = nil,
      privateKey: Secret<String>? = nil
    ) {
      self.bundleIDs = bundleIDs
      self.teamID = teamID
      self.keyID = keyID
      self.privateKey = privateKey
    }
  }
}

/// When a provider's statement about an email address counts.
public enum EmailTrust: String, Hashable, Sendable, CaseIterable {
  case always
  /// Only where the provider runs the mailbox (Google: gmail.com and Workspace's `hd`).
  case authoritative
  case never
}
