import GatehouseProtocol

/// Calls GitHub's REST API as our app: to ask about an access token and its user, and to revoke
/// the user's grant.
///
/// ```
///   POST   applications/<client id>/token   {"access_token": …}   Authorization: Basic …
///   GET    user                                                   Authorization: Bearer <token>
///   GET    user/emails                                            Authorization: Bearer <token>
///   DELETE applications/<client id>/grant   {"access_token": …}   Authorization: Basic …
/// ```
///
/// `GET user` alone must not sign a user in: GitHub accepts a token of any app, and that app's
/// operator could then sign in here as each of the app's users. The first call shows whether the
/// token was issued to our app.
struct GitHubAPI: Sendable {
  /// The most addresses of a response that are read. Only the first page is requested, which has 30
  /// addresses.
  private static let maximumEmails = 100

  let endpoints: GitHubEndpoints
  let app: GitHubApp
  let context: ProviderContext

  /// What a user granted to our app.
  struct Grant: Sendable {
    let subject: Subject
    let scopes: [String]

    /// Whether GitHub may return the user's email addresses.
    ///
    /// An OAuth app needs a scope that "grants read access to a user's email addresses":
    /// `user:email`, or `user`, which includes it. The token of a GitHub App has none: "the user
    /// access token does not use scopes. Instead, it uses fine-grained permissions". Only GitHub's
    /// response shows whether the App has the permission "Email addresses".
    var mayReadEmails: Bool {
      scopes.isEmpty || scopes.containsBytes(of: "user:email") || scopes.containsBytes(of: "user")
    }
  }

  struct User: Sendable {
    let json: JSONObject
    var text: String { JSONValue.object(json).text() }
  }

  struct Email: Sendable {
    /// Nil for an address that this server doesn't store.
    let address: EmailAddress?
    let isVerified: Bool
  }

  /// Asks whether the token was issued to our app, and for which user.
  ///
  /// - Throws: ``FederationError/accessToken(_:)`` if GitHub doesn't know the token ("Invalid
  ///   tokens will return 404 NOT FOUND"), if it is another app's, or if it has no user.
  func inspect(_ token: BearerToken) async throws(FederationError) -> Grant {
    guard let url = endpoints.token(ofClient: app.clientID) else {
      throw .accessToken(.unreadable)
    }
    var request = OutboundRequest(url, authorization: app.authorization)
    request.content = Self.content(token)
    let response = try await context.send(request)
    switch response.status {
    case 200: break
    case 404, 422: throw .accessToken(.notGood)
    case 401: throw .refusedByProvider(status: 401, error: "invalid_client")
    default: throw .refusedByProvider(status: response.status, error: nil)
    }
    let json = try Self.object(response)
    guard let issuedTo = json["app"]?["client_id"]?.string else {
      throw .accessToken(.unreadable)
    }
    guard issuedTo.hasSameBytes(as: app.clientID) else { throw .accessToken(.otherApp) }
    // The token of a GitHub App's installation has no user.
    guard let user = json["user"], !user.isNull else { throw .accessToken(.notOfPerson) }
    guard let subject = Self.identifier(user["id"]) else { throw .accessToken(.unreadable) }
    let scopes = (json["scopes"]?.array ?? []).prefix(64).compactMap(\.string)
    return Grant(subject: subject, scopes: scopes)
  }

  /// - Throws: ``FederationError/otherSubject`` if the two responses are about different users.
  func user(of token: BearerToken, _ subject: Subject) async throws(FederationError) -> User {
    let response = try await context.send(
      OutboundRequest(endpoints.user, authorization: token.authorization))
    if response.status == 401 { throw .accessToken(.notGood) }
    guard response.status == 200 else {
      throw .refusedByProvider(status: response.status, error: nil)
    }
    let json = try Self.object(response)
    guard Self.identifier(json["id"]) == subject else { throw .otherSubject }
    return User(json: json)
  }

  /// The primary email, and whether GitHub verified it. Without the scope or the permission for it,
  /// the public email, which is treated as not verified.
  func email(
    of token: BearerToken, _ grant: Grant, _ user: User
  ) async throws(FederationError) -> Email? {
    let publicEmail = user.json["email"]?.string.map {
      Email(address: EmailAddress($0), isVerified: false)
    }
    guard grant.mayReadEmails else { return publicEmail }
    let response = try await context.send(
      OutboundRequest(endpoints.emails, authorization: token.authorization))
    if response.status == 401 { throw .accessToken(.notGood) }
    // 403: the token is of a GitHub App without the permission "Email addresses". 404: it is of an
    // OAuth app, and has no scopes.
    if response.status == 403 || response.status == 404 { return publicEmail }
    guard response.status == 200,
      let list = try? JSONValue(parsing: response.body, limits: UserInfoEndpoint.limits).array
    else { throw .refusedByProvider(status: response.status, error: nil) }
    let primary = list.prefix(Self.maximumEmails).first { $0["primary"]?.bool == true }
    return primary?["email"]?.string.map {
      Email(address: EmailAddress($0), isVerified: primary?["verified"]?.bool == true)
    }
  }

  func revokeGrant(of token: BearerToken) async throws(FederationError) {
    guard let url = endpoints.grant(ofClient: app.clientID) else {
      throw .accessToken(.unreadable)
    }
    var request = OutboundRequest(url, authorization: app.authorization)
    request.content = Self.content(token)
    request.isDeletion = true
    let response = try await context.send(request)
    // The token no longer exists.
    if response.status == 404 || response.status == 422 { throw .accessToken(.notGood) }
    guard response.status == 204 else {
      throw .refusedByProvider(status: response.status, error: nil)
    }
  }

  private static func content(_ token: BearerToken) -> OutboundRequest.Content {
    let json: JSONObject = ["access_token": .string(token.secret.reveal())]
    return OutboundRequest.Content(type: "application/json", bytes: Secret(json.serialized()))
  }

  private static func object(
    _ response: OutboundResponse
  ) throws(FederationError) -> JSONObject {
    guard let json = try? JSONObject(parsing: response.body, limits: UserInfoEndpoint.limits) else {
      throw .refusedByProvider(status: response.status, error: nil)
    }
    return json
  }

  /// A user's id is a number. A login can't be used: it can be changed, and then given to another
  /// user.
  private static func identifier(_ value: JSONValue?) -> Subject? {
    guard let id = value?.int64, id > 0 else { return nil }
    return Subject("\(id)")
  }
}
