import Foundation
public import GatehouseClient
import GatehouseProtocol

/// A user with an account at every provider. ``alice`` and ``bob`` are on every server.
public struct TestPerson: Sendable, Hashable, Identifiable {
  public let id: String
  public var email: String
  /// Whether the providers say that the address is verified. The server believes only Apple and Google.
  public var isEmailVerified: Bool
  public var givenName: String?
  public var familyName: String?

  /// - Parameter email: `<id>@example.com` if nil.
  public init(
    _ id: String, email: String? = nil, isEmailVerified: Bool = true, givenName: String? = nil,
    familyName: String? = nil
  ) {
    self.id = id
    self.email = email ?? "\(id)@example.com"
    self.isEmailVerified = isEmailVerified
    self.givenName = givenName
    self.familyName = familyName
  }

  public static let alice = TestPerson("alice", givenName: "Alice", familyName: "Appleseed")
  public static let bob = TestPerson("bob", givenName: "Bob", familyName: "Baker")

  /// Beside those of OpenID Connect.
  static let providers: [Provider] = [.apple, .google, .facebook, .github, .microsoft]
}

/// What a provider's sheet or SDK gives an app.
public struct ProviderTokens: Sendable, Hashable {
  /// The user's id at the provider.
  public var userID: String
  /// Valid for an hour, and once if it has a nonce.
  public var idToken: String
  /// For Facebook and GitHub, whose credentials have no ID token. Valid for an hour.
  public var accessToken: String
  /// Apple's: can be used once, to sign in or to revoke.
  public var authorizationCode: String
  /// From Apple only at the person's first authorization, like ``email``.
  public var fullName: PersonName?
  public var email: String?
}

extension ServerState {
  /// A person's authorization of the app.
  struct ProviderGrant {
    var provider: Provider
    var subject: String
    var isRevoked = false
  }

  struct ProviderToken {
    enum Kind { case idToken, accessToken, code }
    var kind: Kind
    var identity: AssertedIdentity
    var nonce: String?
    var issuedAt: Date
    var isExchanged = false
    var provider: Provider { identity.provider }
    var expiresAt: Date { issuedAt.addingTimeInterval(3600) }
  }

  /// - Returns: Nil if there is no such person.
  mutating func authorize(
    _ provider: Provider, person id: String, nonce: String?, hidesEmail: Bool = false
  ) -> ProviderTokens? {
    guard let person = persons.first(where: { $0.id == id }) else { return nil }
    let subject = "\(provider.rawValue)-\(id)"
    let grant = grants.firstIndex { $0.provider == provider && $0.subject == subject }
    let isFirst = grant.map { grants[$0].isRevoked } ?? true
    if let grant {
      grants[grant].isRevoked = false
    } else {
      grants.append(ProviderGrant(provider: provider, subject: subject))
    }
    let email =
      hidesEmail ? "\(id)@privaterelay.appleid.com" : EmailAddress(person.email)?.text
    var identity = AssertedIdentity(
      provider: provider, subject: subject, email: email,
      isEmailVerified: [.apple, .google].contains(provider) && person.isEmailVerified)
    var claims: JSONObject = [
      "iss": .string(provider.rawValue), "sub": .string(subject),
      "iat": .number(JSONNumber(now.wireSeconds)),
      "exp": .number(JSONNumber(now.wireSeconds + 3600)),
      "email_verified": .bool(person.isEmailVerified),
    ]
    claims["email"] = email.map { .string($0) }
    claims["nonce"] = nonce.map { .string($0) }
    if provider != .apple {
      identity.givenName = person.givenName
      identity.familyName = person.familyName
      claims["name"] = identity.displayName.map { .string($0) }
    }
    let tokens = ProviderTokens(
      userID: subject, idToken: jwt(claims), accessToken: "access-\(next())",
      authorizationCode: "code-\(next())",
      fullName: isFirst
        ? PersonName(givenName: person.givenName, familyName: person.familyName) : nil,
      email: isFirst ? email : nil)
    provided[tokens.idToken] = ProviderToken(
      kind: .idToken, identity: identity, nonce: nonce, issuedAt: now)
    provided[tokens.accessToken] = ProviderToken(
      kind: .accessToken, identity: identity, issuedAt: now)
    provided[tokens.authorizationCode] = ProviderToken(
      kind: .code, identity: identity, issuedAt: now)
    return tokens
  }

  mutating func revokeGrant(of subject: String, at provider: Provider) {
    for index in grants.indices
    where grants[index].provider == provider && grants[index].subject == subject {
      grants[index].isRevoked = true
    }
  }

  /// A code that Apple's sheet has just returned shows who the user is: the sign-in is recent then.
  mutating func revoke(_ request: RevokeTokenRequest) throws(Refusal) -> EmptyResponse {
    guard let idToken = request.idToken else { throw Refusal(.missingIDToken) }
    let user = try currentUser(idToken)
    guard let name = request.providerID else { throw Refusal(.missingProviderID) }
    guard let text = request.token else { throw Refusal(.missingToken) }
    guard request.kind == .code, name == Provider.apple.rawValue else {
      throw .notOffered("accounts:revokeToken for anything but Apple's code")
    }
    guard let code = provided[text], code.kind == .code, code.provider == .apple else {
      throw Refusal(.invalidIDPResponse, "The provider refused the request: 400 invalid_grant")
    }
    if !code.isExchanged {
      guard user.account.identity(.apple)?.uid == code.identity.subject else {
        throw Refusal(.federatedUserIDAlreadyLinked)
      }
      for index in sessions.indices where sessions[index].number == user.session.number {
        sessions[index].authenticatedAt = now
      }
      provided[text]?.isExchanged = true
    }
    revokeGrant(of: code.identity.subject, at: .apple)
    return EmptyResponse()
  }

  /// The simulator's endpoints, which ``SimulatedAppleSheet`` and ``SimulatedGoogleSignIn`` use.
  ///
  /// - Returns: The status and the body; nil for a path of none of them.
  mutating func provide(_ request: TransportRequest) -> (status: Int, body: JSONObject)? {
    let body = request.body ?? Data()
    switch request.url.path.split(separator: "/").map(String.init) {
    case ["apple", "credential-state"]:
      let subject = FormFields(request.url.query ?? "")["user"]
      let grant = grants.first { $0.provider == .apple && $0.subject == subject }
      return (200, ["state": grant.map { $0.isRevoked ? "revoked" : "authorized" } ?? "notFound"])
    case ["google", "token"]:
      let subject = FormFields(bytes: Array(body))["refresh_token"] ?? ""
      let isLive = grants.contains {
        $0.provider == .google && $0.subject == subject && !$0.isRevoked
      }
      guard isLive else { return (400, ["error": "invalid_grant"]) }
      return (
        200,
        [
          "access_token": .string("access-\(next())"), "expires_in": 3600,
          "refresh_token": .string(subject),
        ]
      )
    case ["google", "revoke"]:
      revokeGrant(of: FormFields(bytes: Array(body))["token"] ?? "", at: .google)
      return (200, [:])
    case let path where path.count == 2 && path[1] == "native-sign-in":
      let fields = (try? JSONObject(parsing: Array(body))) ?? [:]
      let provider: Provider = path[0] == "oidc" ? "oidc.simulator" : Provider("\(path[0]).com")
      guard
        let tokens = authorize(
          provider, person: fields["person"]?.string ?? "", nonce: fields["nonce"]?.string,
          hidesEmail: fields["email"]?.string == "hide")
      else { return (400, ["error": "invalid_request", "error_description": "No such person"]) }
      return (200, tokens.json(state: fields["state"]))
    default: return nil
    }
  }
}

extension ProviderTokens {
  fileprivate func json(state: JSONValue?) -> JSONObject {
    var json: JSONObject = [
      "user": .string(userID), "identityToken": .string(idToken), "idToken": .string(idToken),
      "accessToken": .string(accessToken), "authorizationCode": .string(authorizationCode),
      "refreshToken": .string(userID), "expiresIn": 3600,
    ]
    var name: JSONObject = [:]
    name["givenName"] = fullName?.givenName.map { .string($0) }
    name["familyName"] = fullName?.familyName.map { .string($0) }
    if fullName != nil { json["realUserStatus"] = 2 }
    json["fullName"] = .object(name)
    json["email"] = email.map { .string($0) }
    json["state"] = state
    return json
  }
}

/// Secrets stay out of logs.
extension ProviderTokens: CustomStringConvertible, CustomReflectable {
  public var description: String { "ProviderTokens(\(userID))" }
  public var customMirror: Mirror { Mirror(self, children: ["userID": userID]) }
}
