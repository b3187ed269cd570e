package import GatehouseProtocol

/// How one project signs users in with one provider.
///
/// Follows Google's admin resources `defaultSupportedIdpConfigs` and `oauthIdpConfigs`. Properties
/// that those don't have are marked as extensions.
package struct ProviderConfiguration: Sendable {
  package var id: ProviderID
  /// The project that has the configuration. Calls to the provider count as calls of this project. Set
  /// by the store that reads the configuration; nil for one that no store read.
  package var project: ProjectID?
  package var isEnabled: Bool
  package var displayName: String?
  /// For Apple the Services ID of the web flow, for Facebook the app id, for other providers the
  /// first client id.
  package var clientID: String
  /// Extension: further client ids of the same application, one per platform.
  package var additionalClientIDs: [String]
  /// Extension: further clients at an OpenID Connect provider, for apps with a separate client.
  package var clients: [ProviderClient]
  /// Bundle ids of the project's registered apps. They are audiences of Apple's tokens, like
  /// ``AppleSettings/bundleIDs``. `Transaction.providersWithApps(in:)` adds them; they aren't
  /// stored with the provider.
  package var appBundleIDs: [String]
  /// Extension: other audiences that a token's `aud` array may contain together with ours.
  package var trustedAudiences: [String]
  /// For Facebook the app secret.
  package var clientSecret: Secret<String>?
  /// Extension: where an OpenID Connect provider expects the client secret. If nil, its discovery
  /// document decides.
  package var secretPlace: SecretPlace?
  /// Extension: the key that replaces a client secret.
  package var clientKey: ClientKey?
  /// Extension: whether this is a public client, without a secret. Only PKCE protects its codes
  /// (RFC 6749 §2.1, RFC 7636).
  package var isPublicClient: Bool
  /// The issuer of an OpenID Connect provider, or of Microsoft's tenant. Nil for other built-in
  /// providers, whose issuers are fixed; for Microsoft nil means any tenant. The tokens of Microsoft
  /// may have another issuer: see ``tokenIssuer``.
  package var issuer: String?
  /// Extension: the URL of an OpenID Connect provider's discovery document, if it isn't at the place
  /// that follows from the issuer. The document must name exactly ``issuer``.
  package var discoveryURL: String?
  /// The flow for sign-ins in a browser. If neither `code` nor `idToken` is set, ``takesCode`` chooses.
  package var responseType: ResponseType
  /// Extension: the response mode. If nil, the server chooses.
  package var responseMode: ResponseMode?
  /// Extension: the claims of an OpenID Connect provider that replace the standard ones.
  package var claimMapping: ClaimMapping
  /// Extension: whether this provider's assertions about email addresses are trusted.
  package var trustEmail: EmailTrust
  /// Extension: whether a sign-in is refused if the app's request has no nonce.
  package var requiresNonce: Bool
  /// Extension: names of parameters that apps may add to the authorization request, in addition to
  /// those that are always allowed.
  package var allowedParameters: [String]
  /// Extension: the scopes of an OpenID Connect provider's requests, beside `openid`. An app may ask for
  /// more. Empty: those that the provider offers of `email` and `profile`.
  package var scopes: [String]
  /// Extension: whether the server keeps the refresh tokens that the provider issues, encrypted, so
  /// that it can revoke them when an account is deleted. Nil: only Apple's are kept, because anyone who
  /// has a copy of the database and the master key can decrypt the tokens.
  package var keepsRefreshToken: Bool?
  /// Extension: a URL of the project to which the server forwards the provider's notifications
  /// unchanged. Apple allows only one URL per group of apps, and this server uses it.
  package var notificationForwardURL: String?
  package var apple: AppleSettings?

  package init(id: ProviderID, clientID: String, trustEmail: EmailTrust) {
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
    scopes = []
    trustedAudiences = []
    responseType = ResponseType(code: false, idToken: false)
    requiresNonce = false
  }

  /// Every accepted audience of this provider's tokens: client ids and, for Apple, bundle ids.
  package var audiences: [String] {
    var audiences: [String] = []
    let native = id.traits.acceptsBundleIDs ? (apple?.bundleIDs ?? []) + appBundleIDs : []
    for audience in [clientID] + additionalClientIDs + clients.map(\.clientID) + native
    where !audience.isEmpty && !audiences.containsBytes(of: audience) {
      audiences.append(audience)
    }
    return audiences
  }

  /// The issuer of all of the provider's tokens. Nil if the configuration doesn't determine it: for a
  /// built-in provider with fixed issuers, and for Microsoft if the issuer depends on the user's
  /// tenant.
  package var tokenIssuer: String? { id.tokenIssuer(for: issuer) }

  /// Whether refresh tokens are kept: as configured, or as is usual for the provider.
  package var isKeepingRefreshTokens: Bool { keepsRefreshToken ?? id.traits.keepsRefreshTokens }

  /// Whether there is a client secret or a key in its place. Apple's signing key doesn't count: see
  /// ``AppleSettings/privateKey``.
  package var provesItself: Bool { clientSecret != nil || clientKey != nil }

  /// Whether a sign-in in a browser returns a code; otherwise it returns an ID token. If nothing
  /// was chosen, it returns a code for a client that can redeem one: an ID token would pass through
  /// the browser (RFC 9700 §2.1.2).
  package var takesCode: Bool {
    responseType.code || !responseType.idToken && (provesItself || isPublicClient)
  }

  /// The configuration for the app with `bundleID`: with the id and the secret of the app's own
  /// client, if it has one.
  package func used(byAppWith bundleID: String?) -> ProviderConfiguration {
    guard let bundleID,
      let client = clients.first(where: { client in
        client.bundleIDs.contains { $0.utf8.elementsEqual(bundleID.utf8) }
      })
    else { return self }
    return used(by: client)
  }

  /// The configuration for the client with `clientID`; nil if that client doesn't exist or was
  /// removed.
  package func used(byClient clientID: String) -> ProviderConfiguration? {
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

  package struct ResponseType: Hashable, Sendable {
    package var code: Bool
    package var idToken: Bool

    package init(code: Bool, idToken: Bool) {
      self.code = code
      self.idToken = idToken
    }
  }

  /// `appleSignInConfig`: the apps' bundle ids, and the key that signs the client secrets.
  package struct AppleSettings: Sendable {
    package var bundleIDs: [String]
    /// Ten characters, from Apple's membership page.
    package var teamID: String?
    /// The identifier of ``privateKey``.
    package var keyID: String?
    /// The `.p8` file's text (PKCS #8, P-256).
    package var privateKey: Secret<String>?

    package init(
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

/// When a provider's assertion about an email address is trusted.
package enum EmailTrust: String, Hashable, Sendable, CaseIterable {
  case always
  /// Only where the provider runs the mailbox (Google: gmail.com and Workspace's `hd`).
  case authoritative
  case never
}
