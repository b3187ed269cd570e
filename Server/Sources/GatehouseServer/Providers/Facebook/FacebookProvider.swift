import GatehouseProtocol
import GatehouseTokens

/// Where Facebook deviates from OpenID Connect: its access tokens identify users, and it issues ID
/// tokens only for Limited Login.
///
/// Facebook never states that it verified an email: there is no claim or field for it.
struct FacebookProvider: AccessTokenProvider, GrantRevokingProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: .facebook, name: "facebook", displayName: "Facebook")
    kind.redirectURIPlace = "at Facebook (Facebook Login, Valid OAuth Redirect URIs)"
    kind.developmentClient = ("1234567890", "demo-facebook-secret")
    kind.federatedIDPrefix = "http://facebook.com/"
    return kind
  }()

  /// <https://developers.facebook.com/docs/facebook-login/limited-login/token/validating>; iOS
  /// devices that don't allow tracking get their tokens from `limited.facebook.com`. Both issuers
  /// are pinned, with one pinned key set.
  static let issuers = ["https://www.facebook.com", "https://limited.facebook.com"]

  let endpoints: FacebookEndpoints

  init() { endpoints = FacebookEndpoints() }

  init?(baseURL: String) {
    guard let endpoints = FacebookEndpoints(baseURL: baseURL) else { return nil }
    self.endpoints = endpoints
  }

  static func faults(
    in provider: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    let ids = [provider.clientID] + provider.additionalClientIDs
    // Google's admin resource accepts any text as the client id, so only an enabled provider is
    // checked.
    if provider.isEnabled, !ids.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      faults.append(.clientIDForm("Facebook's app ids are digits"))
    }
    if provider.trustEmail != .never {
      faults.append(.emailTrust("Facebook doesn't say that it verified an address"))
    }
    return faults
  }

  /// The rules for tokens of Limited Login.
  func idTokenRules(_ configuration: ProviderConfiguration) -> IDTokenRules? {
    var rules = IDTokenRules(issuers: Self.issuers, keys: endpoints.keys)
    rules.nonce = NonceRule(isRequired: configuration.requiresNonce)
    return rules
  }

  func identity(
    of verified: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) -> ExternalIdentity {
    let claims = StandardClaims(verified.token.claims)
    var profile = claims.profile
    profile.screenName = nil
    var identity = Self.identity(
      subject: subject,
      email: EmailTrustRule(context.configuration).email(claims, isAuthoritative: false),
      profile: profile, scopes: nil, picture: Self.picture(url: profile.photoURL),
      context.configuration)
    identity.hasRefusedEmail = claims.hasRefusedEmail
    return identity
  }

  /// The code is exchanged for an access token. Facebook supports a nonce and PKCE only with ID
  /// tokens.
  func authorizationPlan(
    in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan {
    _ = try FacebookApp(context.configuration)
    return AuthorizationPlan(
      response: .code, usesPKCE: false, endpoint: endpoints.authorize,
      clientID: context.configuration.clientID,
      scopes: .init(required: ["public_profile", "email"], separator: ","), mode: .unsaid,
      sendsNonce: false)
  }

  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) -> CodeEndpoints {
    CodeEndpoints(
      token: endpoints.token, revoke: nil,
      credentials: ClientCredentials(secretInBodyOf: context.configuration, clientID: clientID))
  }

  func graph(in context: ProviderContext) throws(FederationError) -> FacebookGraph {
    FacebookGraph(
      endpoints: endpoints, app: try FacebookApp(context.configuration), context: context)
  }

  /// The identity for an access token, from Facebook's statement about it and its user's profile.
  ///
  /// - Parameter pictures: See ``FacebookEndpoints/pictures``.
  /// - Throws: ``FederationError/otherSubject`` if the two are about different users.
  static func identity(
    _ inspection: AccessTokenInspection, profile json: JSONObject, pictures: String,
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> ExternalIdentity {
    let subject = inspection.subject
    guard let id = AccessTokenInspection.identifier(json["id"]),
      id.hasSameBytes(as: subject.text)
    else { throw .otherSubject }
    let image = json["picture"]?.object?.optional("data")
    let profile = ExternalIdentity.Profile(
      displayName: PlainText.name(json["name"]?.string),
      firstName: PlainText.name(json["first_name"]?.string),
      lastName: PlainText.name(json["last_name"]?.string),
      // The picture's own URL is signed and expires. This URL stays valid and needs no token.
      photoURL: image == nil ? nil : "\(pictures)/\(subject.text)/picture")
    let email = json["email"]?.string.flatMap { EmailAddress($0) }.map {
      AssertedEmail(address: $0, isVerified: false, isTrusted: false)
    }
    var identity = identity(
      subject: subject, email: email, profile: profile, scopes: inspection.scopes,
      picture: picture(url: PlainText.pictureURL(image?["url"]?.string), of: image), configuration)
    identity.hasRefusedEmail = StandardClaims(json).hasRefusedEmail
    return identity
  }

  private static func identity(
    subject: Subject, email: AssertedEmail?, profile: ExternalIdentity.Profile, scopes: [String]?,
    picture: JSONValue?, _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    // The names in the Graph API, which Firebase's clients read.
    let members: [(String, JSONValue?)] = [
      ("name", profile.displayName.map { .string($0) }),
      ("last_name", profile.lastName.map { .string($0) }),
      ("granted_scopes", scopes.map { .array($0.map { .string($0) }) }),
      ("id", .string(subject.text)),
      ("first_name", profile.firstName.map { .string($0) }),
      ("email", email.map { .string($0.address.text) }),
      ("picture", picture),
    ]
    let raw = JSONObject(
      members.compactMap { name, value in value.map { .init(name: name, value: $0) } })
    return ExternalIdentity(
      provider: configuration.id, subject: subject, email: email, profile: profile,
      rawUserInfo: JSONValue.object(raw).text())
  }

  /// `{"data":{"url":…}}`, with the picture's other plain values from the Graph API.
  private static func picture(url: String?, of image: JSONValue? = nil) -> JSONValue? {
    guard let url else { return nil }
    var data: JSONObject = ["url": .string(url)]
    for name in ["height", "width"] {
      if let pixels = image?[name]?.int64 { data[name] = .number(JSONNumber(pixels)) }
    }
    if let isSilhouette = image?["is_silhouette"]?.bool {
      data["is_silhouette"] = .bool(isSilhouette)
    }
    return .object(["data": .object(data)])
  }
}
