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
  public var responseType: ResponseType
  /// Extension: by which way answers come to this server; nil leaves it to the server.
  public var responseMode: ResponseMode?
  /// Extension: which claims of an OpenID Connect provider say what.
  public var claimMapping: ClaimMapping
  /// Extension: whether this provider's word about an email address counts.
  public var trustEmail: EmailTrust
  /// Extension: whether a token without a nonce is refused.
  public var requiresNonce: Bool
  public var apple: AppleSettings?

  public init(id: ProviderID, clientID: String, trustEmail: EmailTrust) {
    self.id = id
    self.clientID = clientID
    self.trustEmail = trustEmail
    isEnabled = false
    isPublicClient = false
    claimMapping = ClaimMapping()
    additionalClientIDs = []
    trustedAudiences = []
    responseType = ResponseType(code: false, idToken: true)
    requiresNonce = false
  }

  /// A provider's first configuration, with the standards of the mode for what it doesn't name.
  ///
  /// Apple's apps always have a nonce to give, and without one a stolen token signs in: it is
  /// required, but not in `--dev`, where the emulator's users send none.
  public init(new id: ProviderID, clientID: String = "", development: Bool) {
    self.init(
      id: id, clientID: clientID, trustEmail: .standard(for: id, development: development))
    requiresNonce = id == .apple && !development
  }

  /// Every audience a token of this provider may be for: client ids and, for Apple, bundle ids.
  public var audiences: [String] {
    var audiences: [String] = []
    for audience in [clientID] + additionalClientIDs + (apple?.bundleIDs ?? [])
    where !audience.isEmpty && !audiences.containsBytes(of: audience) {
      audiences.append(audience)
    }
    return audiences
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

  /// What a provider gets that names none. In `--dev` google.com is `always`, as in the emulator.
  public static func standard(for provider: ProviderID, development: Bool) -> EmailTrust {
    switch provider {
    case .apple: .always
    case .google: development ? .always : .authoritative
    default: .never
    }
  }
}
