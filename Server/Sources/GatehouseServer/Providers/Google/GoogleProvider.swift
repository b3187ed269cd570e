import GatehouseProtocol
import GatehouseTokens

/// The deviations of Google from OpenID Connect.
///
/// <https://developers.google.com/identity/gsi/web/guides/verify-google-id-token>
struct GoogleProvider: AccessTokenProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: .google, name: "google", displayName: "Google")
    kind.redirectURIPlace = "at Google (the web client's authorized redirect URIs)"
    kind.emailTrust = .authoritative
    // The emulator trusts every email of Google.
    kind.emailTrustInDevelopment = .always
    kind.developmentClient = ("demo.apps.example.com", "demo-google-secret")
    kind.federatedIDPrefix = "https://accounts.google.com/"
    kind.notifications = .token
    kind.revokesAllTokens = true
    return kind
  }()

  /// "The value of iss in the ID token is equal to accounts.google.com or
  /// https://accounts.google.com."
  static let issuers = ["https://accounts.google.com", "accounts.google.com"]

  let endpoints: GoogleEndpoints

  init() { endpoints = GoogleEndpoints() }

  init?(baseURL: String) {
    guard let endpoints = GoogleEndpoints(baseURL: baseURL) else { return nil }
    self.endpoints = endpoints
  }

  /// If an app gives GoogleSignIn for iOS no nonce, the SDK puts a nonce of its own into the ID token.
  /// The app can't read that nonce, and Firebase's `GoogleAuthProvider` has no parameter for one
  /// (<https://github.com/google/GoogleSignIn-iOS/issues/135>, `/issues/507`). Only newer versions of the
  /// SDK, and Google Identity Services, accept an app's nonce. They send it unhashed
  /// (<https://developers.google.com/identity/gsi/web/reference/js-reference#nonce>). If a nonce is
  /// required, it must be the request's.
  func idTokenRules(_ configuration: ProviderConfiguration) -> IDTokenRules? {
    var rules = IDTokenRules(issuers: Self.issuers, keys: endpoints.keys)
    rules.nonce = NonceRule(
      isRequired: configuration.requiresNonce, acceptsOwnOfSDK: true, acceptsUnhashed: true)
    // After a sign-in on a web page, Firebase's SDK builds a credential from Google's tokens,
    // without a nonce. Apps link or re-authenticate with that credential, so the token must stay
    // usable. A replay of the sign-in itself is impossible: its code and its state are spent.
    rules.isReusableAfterBrowser = true
    return rules
  }

  func identity(
    of verified: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) -> ExternalIdentity {
    Self.identity(StandardClaims(verified.token.claims), subject: subject, context.configuration)
  }

  func authorizationPlan(
    in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan {
    let configuration = context.configuration
    guard configuration.clientSecret != nil || configuration.isPublicClient else {
      throw context.missing("clientSecret")
    }
    return AuthorizationPlan(
      response: .code, usesPKCE: true, endpoint: endpoints.authorize,
      clientID: configuration.clientID, scopes: .init(required: ["openid", "email", "profile"]),
      mode: .unsaid, sendsNonce: true)
  }

  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) -> CodeEndpoints {
    CodeEndpoints(
      token: endpoints.token, revoke: endpoints.revoke,
      credentials: ClientCredentials(secretInBodyOf: context.configuration, clientID: clientID))
  }

  func clientFindings(in context: ProviderContext) async -> [Finding] {
    guard context.configuration.clientSecret != nil else { return [] }
    return [await proofFinding(check: "client secret", in: context)]
  }

  // MARK: Access tokens

  /// The exchange of a browser's code returns an ID token too.
  var identifiesByAccessToken: Bool { false }

  func identity(
    ofAccessToken accessToken: Secret<String>, in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    guard let token = BearerToken(accessToken) else { throw .accessToken(.unreadable) }
    let claims = try await GoogleAccessToken(endpoints: endpoints, context: context)
      .claims(of: token)
    guard let subject = claims["sub"]?.string.flatMap({ Subject($0) }) else {
      throw .accessToken(.unreadable)
    }
    var identity = Self.identity(
      StandardClaims(claims), subject: subject, context.configuration)
    identity.tokens.accessToken = accessToken
    return identity
  }

  // MARK: Claims

  private static func identity(
    _ claims: StandardClaims, subject: Subject, _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    let email = EmailTrustRule(configuration).email(
      claims, isAuthoritative: isAuthoritative(claims))
    var identity = ExternalIdentity(
      provider: configuration.id, subject: subject, email: email, profile: claims.profile,
      rawUserInfo: rawUserInfo(subject, claims))
    identity.hasRefusedEmail = claims.hasRefusedEmail
    return identity
  }

  /// "Google is authoritative for: email addresses with a @gmail.com suffix; email_verified is true
  /// and hd is set" (a Workspace account). For other addresses "email_verified" describes the past:
  /// the address may have another owner today.
  private static func isAuthoritative(_ claims: StandardClaims) -> Bool {
    guard let email = claims.email else { return false }
    if email.domain.hasSameBytes(as: "gmail.com") { return true }
    return claims.json["hd"]?.string.map { !$0.isEmpty } ?? false
  }

  /// The profile with the names of Google's older userinfo, which Firebase's clients read.
  ///
  /// An ID token doesn't list the scopes. Those of OpenID Connect are derived from it: Google sends
  /// `email` only with the scope for it.
  private static func rawUserInfo(_ subject: Subject, _ claims: StandardClaims) -> String {
    var members: [JSONObject.Member] = [
      .init(name: "id", value: .string(subject.text))
    ]
    for name in ["name", "given_name", "family_name", "picture", "locale", "hd", "email"] {
      if let value = claims.json[name]?.string {
        members.append(.init(name: name, value: .string(value)))
      }
    }
    members.append(.init(name: "verified_email", value: .bool(claims.isEmailVerified)))
    let scopes =
      ["openid", "https://www.googleapis.com/auth/userinfo.profile"]
      + (claims.json["email"]?.string == nil
        ? [] : ["https://www.googleapis.com/auth/userinfo.email"])
    members.append(
      .init(name: "granted_scopes", value: .string(scopes.joined(separator: " "))))
    return JSONValue.object(JSONObject(members)).text()
  }
}

/// Asks Google for which user and to which client an access token was issued.
///
/// ```
///   POST tokeninfo   access_token=…
///   GET  userinfo    Authorization: Bearer <access token>
/// ```
///
/// Browser extensions have only access tokens: `chrome.identity.getAuthToken` returns no ID token.
/// An access token contains no information, so every sign-in with one makes two calls, and no response
/// is cached.
struct GoogleAccessToken: Sendable {
  let endpoints: GoogleEndpoints
  let context: ProviderContext

  /// The claims of the token's user, from the userinfo endpoint.
  ///
  /// A token for a client that isn't the project's (compared byte for byte) is rejected: otherwise that
  /// client's operator could sign in here as each of its users.
  ///
  /// - Throws: ``FederationError/accessToken(_:)``; ``FederationError/otherSubject`` if the two
  ///   responses are about different users; ``FederationError/refusedByProvider(status:error:)``
  ///   for any response that isn't about the token.
  func claims(
    of token: BearerToken
  ) async throws(FederationError) -> JSONObject {
    let info = try await ask(
      OutboundRequest(endpoints.tokenInfo, form: [.init("access_token", token.secret)]))
    guard let audience = info["aud"]?.string else { throw .accessToken(.unreadable) }
    guard context.configuration.audiences.containsBytes(of: audience) else {
      throw .accessToken(.otherApp)
    }
    let claims = try await ask(
      OutboundRequest(endpoints.userInfo, authorization: token.authorization))
    guard let subject = claims["sub"]?.string else { throw .accessToken(.unreadable) }
    // Absent if the token was issued without the scope `openid`.
    guard info.optional("sub")?.string?.hasSameBytes(as: subject) ?? true else {
      throw .otherSubject
    }
    return claims
  }

  /// 400 from tokeninfo or 401 from userinfo: Google doesn't know the token, or it has expired.
  private func ask(_ request: OutboundRequest) async throws(FederationError) -> JSONObject {
    let response = try await context.send(request)
    if response.status == 400 || response.status == 401 { throw .accessToken(.notGood) }
    guard response.status == 200,
      let json = try? JSONObject(parsing: response.body, limits: UserInfoEndpoint.limits)
    else { throw .refusedByProvider(status: response.status, error: nil) }
    return json
  }
}
