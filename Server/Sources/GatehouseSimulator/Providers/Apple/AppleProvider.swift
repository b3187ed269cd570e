import Hummingbird

/// Sign in with Apple: the endpoints of Apple's "Sign in with Apple REST API", and the results of a
/// device's frameworks.
struct AppleProvider: ProviderKind {
  /// How long an access token is valid, in seconds.
  static let accessTokenLifetime = 3_600

  let id = "apple"
  let displayName = "Apple"

  let endpoints = [
    Endpoint("POST", "/apple/native-sign-in", "the result of a device's Sign in with Apple sheet"),
    Endpoint(
      "GET", "/apple/credential-state", "authorized, revoked, notFound or transferred"),
    Endpoint("GET", "/apple/auth/authorize", "Apple's web flow"),
    Endpoint("POST", "/apple/auth/token", "Apple's token endpoint"),
    Endpoint("GET", "/apple/auth/keys", "Apple's key set"),
    Endpoint("POST", "/apple/auth/revoke", "Apple's revocation endpoint"),
    Endpoint("POST", "/apple/auth/usermigrationinfo", "the users of a transferred app"),
  ]

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    AppleRoutes(store: store).add(to: router.group("apple"))
    AppleControl(store: store).addPageActions(to: router.group("simulator/page"))
  }

  // MARK: Tokens

  let scopes: [Scope] = [.openid, .email, .name]
  let idTokenLifetime = 86_400
  var accessTokenLifetime: Int? { Self.accessTokenLifetime }
  let alwaysGivesIDToken = true
  let writesTokenType = false

  func issuer(of provider: Provider, baseURL: String) -> String { "https://appleid.apple.com" }

  func newCode() -> String { token("c") }
  func newAccessToken() -> String { token("a") }
  func newRefreshToken() -> String { token("r") }

  private func token(_ letter: String) -> String {
    "\(letter)\(RandomToken.hex(bytes: 16)).0.s\(RandomToken.hex(bytes: 2))."
      + RandomToken.base64(bytes: 16)
  }

  /// Apple issues a refresh token for every code, also if none is requested.
  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool { true }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    state.appleClaims(approved)
  }

  func error(for refusal: GrantRefusal) -> SimulatorError {
    switch refusal {
    case .unknownCode, .expiredCode:
      .invalidGrant("The code has expired or has been revoked.")
    case .usedCode: .invalidGrant("The code has already been used.")
    case .codeOfAnotherClient:
      .invalidGrant("client_id mismatch. The code was not issued to this client.")
    case .redirectURI:
      .invalidGrant("redirect_uri mismatch. The code was issued to another redirect_uri.")
    case .unknownRefreshToken, .withdrawn:
      .invalidGrant("The token has expired or has been revoked.")
    case .refreshTokenOfAnotherClient:
      .invalidGrant("client_id mismatch. The refresh token was not issued to this client.")
    case .missingVerifier, .unexpectedVerifier, .wrongVerifier:
      .invalidGrant(refusal.plainDescription)
    }
  }

  /// The clients of a group share their consent: the person agrees once, gives the name once, and
  /// withdraws once.
  func consentHolder(of clientID: String, in state: SimulatorState) -> String {
    state.clients.primaryAppleApp(of: clientID)
  }

  // MARK: Dialogs

  func askedScopes(_ form: RequestForm) -> Set<Scope> {
    Scope.parse(form["scope"]).intersection([.email, .name])
  }

  /// Apple has no `prompt` parameter.
  func prompt(_ form: RequestForm) -> Set<String> { [] }

  /// Apple asks for a click at each sign-in, and for name and address once.
  func offer(
    _ request: DialogRequest, to person: Person, standing: Consent?, in state: SimulatorState
  ) -> DialogOffer {
    var offer = DialogOffer(person: person, asksForConsent: true, isFirst: standing == nil)
    offer.offersName = standing == nil && request.scopes.contains(.name)
    if standing == nil, request.scopes.contains(.email) {
      let team = state.clients.appleTeam(of: request.clientID)
      offer.relayAddress = AppleIdentity(personID: person.id, teamID: team).relayAddress
    }
    return offer
  }

  // MARK: Persons and test control

  /// The person's identifiers for the team of unregistered apps.
  private func identity(of person: Person) -> AppleIdentity {
    AppleIdentity(personID: person.id, teamID: RegisteredClient.defaultAppleTeam)
  }

  func subject(of person: Person) -> String? { identity(of: person).subject }

  func describe(_ person: Person) -> [String: JSONValue] {
    ["appleRelayAddress": .string(identity(of: person).relayAddress)]
  }

  let hidesAddresses = true
  let hasAuthenticationMethods = false
  let redirectsToWebOnly = true
  let clientMembers = ["team_id", "primary_app", NotificationURL.member]

  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>) {
    AppleControl(store: store).add(to: group)
  }

  let controlEndpoints = [
    Endpoint(
      "PUT", "/simulator/persons/{id}/apple-relay", "turns mail forwarding on or off"),
    Endpoint("PUT", "/simulator/apple/team-keys", "a key that verifies a team's secrets"),
    Endpoint("POST", "/simulator/apple/transfer", "moves an app to another team"),
    Endpoint(
      "GET", "/simulator/apple/notifications", "Apple's notifications (POST: sends one)"),
    Endpoint(
      "POST", "/simulator/apple/notifications/redeliver", "sends failed notifications again"),
  ]

  /// Notifies the apps' servers.
  func consentsEnded(
    _ ended: [ConsentKey], accountIsGone: Bool, _ store: SimulatorStore
  ) async throws -> [JSONValue] {
    let now = store.now
    let events = store.withState { state in
      ended.map {
        state.appleEvent(accountIsGone ? .accountDeleted : .consentRevoked, $0, now: now)
      }
    }
    return try await Notifier(AppleState.self, store: store).notify(events).map {
      $0.json(withPayload: false)
    }
  }
}

extension Provider {
  static let apple = Provider(AppleProvider())
}

extension Scope {
  /// Apple's scope for the person's name. Apple has no `profile`.
  static let name = Scope(rawValue: "name")
}
