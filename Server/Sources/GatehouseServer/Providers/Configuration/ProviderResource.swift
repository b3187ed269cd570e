import GatehouseProtocol

/// A provider's configuration as an administrator reads and writes it: Google's
/// `defaultSupportedIdpConfigs` and `oauthIdpConfigs`, with extensions.
///
/// In a request, an absent field changes nothing, but a field that the mask names and the body
/// lacks is cleared.
struct ProviderResource: WireRequest, WireResponse {
  /// `projects/{p}/oauthIdpConfigs/{id}`. Not read.
  var name = ""
  var enabled: Bool?
  var displayName: String?
  var clientID: String?
  var clientSecret: String?
  var issuer: String?
  var responseTypeCode: Bool?
  var responseTypeIDToken: Bool?
  var bundleIDs: [String]?
  var appleTeamID: String?
  var appleKeyID: String?
  var applePrivateKey: String?
  /// Extension: more client ids of the same application.
  var additionalClientIDs: [String]?
  /// Extension: additional clients, each for the apps that use it.
  var clients: [Client]?
  /// Extension: parameters that apps may add to the authorization request.
  var allowedParameters: [String]?
  /// Extension: audiences that a token may have in addition to the client id.
  var trustedAudiences: [String]?
  /// Extension: `always`, `authoritative` or `never`.
  var trustEmail: String?
  /// Extension: whether a token without a nonce is rejected.
  var requireNonce: Bool?
  /// Extension: whether refresh tokens are kept; absent: Apple's only.
  var keepRefreshToken: Bool?
  /// Extension: whether the client is public: it has no secret, and PKCE protects its codes.
  var publicClient: Bool?
  /// Extension: the key that is used in place of a client secret.
  var clientKey: ClientKey?
  /// Extension: `query`, `form_post` or `fragment`.
  var responseMode: String?
  /// Extension: where the discovery document is, if the issuer doesn't tell.
  var discoveryURL: String?
  /// Extension: the scopes of a request beside `openid`.
  var scopes: [String]?
  /// Extension: `client_secret_basic` or `client_secret_post`.
  var clientAuthentication: String?
  /// Extension: the claims from which profile fields are read.
  var claimMapping: ClaimMapping?
  /// Extension: the project's own receiver of the provider's notifications.
  var notificationForwardURL: String?
  /// Extension: what follows from the configuration. Not read.
  var derived = Derived()
  /// Selects whether the resource has `appleSignInConfig` or `responseType`.
  var kind = Kind.openIDConnect

  enum Kind: Hashable, Sendable {
    case builtIn, apple, openIDConnect
  }

  /// The members of Google's `OAuthIdpConfig` and `DefaultSupportedIdpConfig`, and the extensions.
  static let knownMembers = KnownMembers([
    "name", "enabled", "displayName", "clientId", "clientSecret", "issuer", "responseType.code",
    "responseType.idToken", "responseType.token", "appleSignInConfig.bundleIds",
    "appleSignInConfig.codeFlowConfig.teamId", "appleSignInConfig.codeFlowConfig.keyId",
    "appleSignInConfig.codeFlowConfig.privateKey", "additionalClientIds", "trustedAudiences",
    "trustEmail", "requireNonce", "keepRefreshToken", "publicClient", "clientKey.*", "responseMode",
    "claimMapping.*",
    "clientAuthentication", "clients.clientId", "clients.clientSecret", "clients.bundleIds",
    "allowedParameters", "discoveryUrl", "scopes", "notificationForwardUrl",
    // Not read, so that a response can be sent back.
    "clients.hasClientSecret", "hasClientSecret", "audiences", "redirectUri", "keySetUrl",
    "notificationUrl", "notifications.*", "identitiesOfOtherIssuers",
  ])

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  init(_ fields: WireFields) throws(WireError) {
    enabled = try fields.bool("enabled")
    displayName = try fields.string("displayName")
    clientID = try fields.string("clientId")
    clientSecret = try fields.string("clientSecret")
    issuer = try fields.string("issuer")
    let responseType = try fields.message("responseType")
    responseTypeCode = try responseType?.bool("code")
    responseTypeIDToken = try responseType?.bool("idToken")
    let apple = try fields.message("appleSignInConfig")
    if let apple { bundleIDs = try Self.list("bundleIds", in: apple) }
    let codeFlow = try apple?.message("codeFlowConfig")
    appleTeamID = try codeFlow?.string("teamId")
    appleKeyID = try codeFlow?.string("keyId")
    applePrivateKey = try codeFlow?.string("privateKey")
    additionalClientIDs = try Self.list("additionalClientIds", in: fields)
    trustedAudiences = try Self.list("trustedAudiences", in: fields)
    if fields.contains("clients") {
      clients = try fields.messages("clients").map { message throws(WireError) in
        try Client(message)
      }
    }
    allowedParameters = try Self.list("allowedParameters", in: fields)
    trustEmail = try fields.nonEmptyString("trustEmail")
    requireNonce = try fields.bool("requireNonce")
    keepRefreshToken = try fields.bool("keepRefreshToken")
    publicClient = try fields.bool("publicClient")
    if let key = try fields.message("clientKey") { clientKey = try ClientKey(key) }
    discoveryURL = try fields.string("discoveryUrl")
    scopes = try Self.list("scopes", in: fields)
    responseMode = try fields.string("responseMode")
    clientAuthentication = try fields.string("clientAuthentication")
    if let mapping = try fields.message("claimMapping") {
      claimMapping = try ClaimMapping(mapping)
    }
    notificationForwardURL = try fields.string("notificationForwardUrl")
  }

  private static func list(
    _ name: StaticString, in fields: WireFields
  ) throws(WireError) -> [String]? {
    fields.contains(name) ? try fields.strings(name) : nil
  }
}

extension ProviderResource {
  /// False and empty values are omitted, as in Google's service.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    if enabled == true { writer.member("enabled", true) }
    writer.member("displayName", ifPresent: displayName)
    writer.member("clientId", ifPresent: clientID)
    writer.member("clientSecret", ifPresent: clientSecret)
    writer.member("issuer", ifPresent: issuer)
    if kind == .openIDConnect {
      writer.object("responseType") { type in
        if responseTypeIDToken == true { type.member("idToken", true) }
        if responseTypeCode == true { type.member("code", true) }
      }
    }
    if kind == .apple { writeApple(to: &writer) }
    if let ids = additionalClientIDs, !ids.isEmpty { writer.member("additionalClientIds", ids) }
    if let audiences = trustedAudiences, !audiences.isEmpty {
      writer.member("trustedAudiences", audiences)
    }
    if let clients, !clients.isEmpty {
      writer.array("clients") { list in
        for client in clients { list.object { client.writeMembers(to: &$0) } }
      }
    }
    if let names = allowedParameters, !names.isEmpty { writer.member("allowedParameters", names) }
    writer.member("trustEmail", ifPresent: trustEmail)
    if requireNonce == true { writer.member("requireNonce", true) }
    writer.member("keepRefreshToken", ifPresent: keepRefreshToken)
    if publicClient == true { writer.member("publicClient", true) }
    clientKey?.write(to: &writer)
    writer.member("discoveryUrl", ifPresent: discoveryURL)
    if let scopes, !scopes.isEmpty { writer.member("scopes", scopes) }
    writer.member("responseMode", ifPresent: responseMode)
    writer.member("clientAuthentication", ifPresent: clientAuthentication)
    claimMapping?.write(to: &writer)
    writer.member("notificationForwardUrl", ifPresent: notificationForwardURL)
    derived.writeMembers(to: &writer)
  }

  private func writeApple(to writer: inout JSONWriter) {
    writer.object("appleSignInConfig") { apple in
      if appleTeamID != nil || appleKeyID != nil || applePrivateKey != nil {
        apple.object("codeFlowConfig") {
          $0.member("teamId", ifPresent: appleTeamID)
          $0.member("keyId", ifPresent: appleKeyID)
          $0.member("privateKey", ifPresent: applePrivateKey)
        }
      }
      if let bundleIDs, !bundleIDs.isEmpty { apple.member("bundleIds", bundleIDs) }
    }
  }
}

/// One page of the configurations of one collection.
struct ProviderListResponse: WireResponse {
  /// The member that contains them: `oauthIdpConfigs` or `defaultSupportedIdpConfigs`.
  var collection: String
  var configurations: [ProviderResource]
  var nextPageToken: String?

  init(collection: String, configurations: [ProviderResource], nextPageToken: String?) {
    self.collection = collection
    self.configurations = configurations
    self.nextPageToken = nextPageToken
  }

  func writeMembers(to writer: inout JSONWriter) {
    if !configurations.isEmpty {
      writer.array(collection) { list in
        for configuration in configurations {
          list.object { configuration.writeMembers(to: &$0) }
        }
      }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}
