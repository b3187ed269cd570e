import Crypto
import Foundation
import GatehouseClient
import GatehouseProtocol

/// Why a request is refused.
struct Refusal: Error {
  var code: ErrorCode
  var detail: String?
  /// Whether what the request has changed stays. Otherwise it is undone.
  var isCommitted = false

  init(_ code: ErrorCode, _ detail: String? = nil, isCommitted: Bool = false) {
    self.code = code
    self.detail = detail
    self.isCommitted = isCommitted
  }

  var message: String { detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue }

  /// For what the real server has and this one doesn't.
  static func notOffered(_ what: String) -> Refusal {
    Refusal(.operationNotAllowed, "AuthTestServer doesn't offer \(what).")
  }
}

/// What the server stores. A request changes a copy, which replaces this value if the request succeeds.
struct ServerState {
  var now: Date
  var protectsEmails: Bool
  /// Where the app's requests and the links in emails go.
  var url: URL
  /// The bundle id of the app that sent the request.
  var app: String?
  var users: [TestUser] = []
  var sessions: [Session] = []
  var idTokens: [String: IDTokenFacts] = [:]
  var persons: [TestPerson] = [.alice, .bob]
  var provided: [String: ProviderToken] = [:]
  var grants: [ProviderGrant] = []
  var pending: [String: PendingIdentity] = [:]
  var spentNonces: Set<String> = []
  var codes: [ActionCode] = []
  var requiresSecondFactor = false
  var pendingSignIns: [String: PendingSignIn] = [:]
  var factorSessions: [String: FactorSession] = [:]
  var passkeyChallenges: [Data: PasskeyChallenge] = [:]
  /// By the id of the passkey.
  var passkeyKeys: [String: P256.Signing.PublicKey] = [:]
  var textMessages: [AuthTestServer.TextMessage] = []
  private var serial = 0

  init(now: Date, url: URL, protectsEmails: Bool) {
    self.now = now
    self.url = url
    self.protectsEmails = protectsEmails
  }

  /// How old a sign-in may be for a sensitive change, as in a new project. Seconds.
  static let recentSeconds: TimeInterval = 300
  static let idTokenSeconds = 3600
  /// How long a rotated refresh token is accepted after its successor was used. Seconds.
  static let refreshGraceSeconds: TimeInterval = 60

  mutating func next() -> Int {
    serial += 1
    return serial
  }

  // MARK: Accounts

  func user(_ uid: String) -> TestUser? { users.first { $0.uid == uid } }

  func user(email: String?) -> TestUser? {
    email.flatMap { email in users.first { $0.email == email } }
  }

  func user(with identity: AssertedIdentity) -> TestUser? {
    users.first { user in user.identity(identity.provider)?.uid == identity.subject }
  }

  mutating func newUser() -> TestUser { TestUser(uid: "user\(next())", createdAt: now) }

  /// Adds the account, or replaces the one with its uid.
  mutating func save(_ user: TestUser) {
    if let index = users.firstIndex(where: { $0.uid == user.uid }) {
      users[index] = user
    } else {
      users.append(user)
    }
  }

  /// Sessions stay, so that their tokens are refused with the reason.
  mutating func erase(_ uid: String) {
    guard let user = user(uid) else { return }
    for identity in user.identities { detach(identity) }
    users.removeAll { $0.uid == uid }
    codes.removeAll { $0.uid == uid }
    pendingSignIns = pendingSignIns.filter { $0.value.uid != uid }
  }

  static func address(_ text: String?) throws(Refusal) -> String {
    guard let text, !text.isEmpty else { throw Refusal(.missingEmail) }
    guard let address = EmailAddress(text) else { throw Refusal(.invalidEmail) }
    return address.text
  }

  // MARK: Sessions

  struct Session {
    var number: Int
    var uid: String
    var provider: Provider
    var createdAt: Date
    var authenticatedAt: Date
    var lastUsedAt: Date
    var isEnded = false
    /// The number of the current refresh token.
    var rotation = 0
    /// When earlier ones were rotated, the latest first.
    var rotatedAt: [Date] = []
    var developerClaims: JSONObject = [:]
    var secondFactor: UsedFactor?
    var app: String?

    var id: String { "\(String(repeating: "0", count: 24))\(10_000_000 + number)" }
  }

  struct IDTokenFacts {
    var session: Int
    var uid: String
    var expiresAt: Date
    var authenticatedAt: Date
  }

  /// The bearer of an ID token.
  struct CurrentUser {
    var account: TestUser
    var session: Session

    var isGuest: Bool { account.isAnonymous && session.provider == .anonymous }
  }

  func currentUser(_ idToken: String?) throws(Refusal) -> CurrentUser {
    guard let idToken, let facts = idTokens[idToken] else { throw Refusal(.invalidIDToken) }
    guard let account = user(facts.uid) else { throw Refusal(.userNotFound) }
    if account.isDisabled { throw Refusal(.userDisabled) }
    guard facts.expiresAt > now,
      var session = sessions.first(where: { $0.number == facts.session }), !session.isEnded
    else { throw Refusal(.tokenExpired) }
    session.authenticatedAt = min(session.authenticatedAt, facts.authenticatedAt)
    return CurrentUser(account: account, session: session)
  }

  func requireRecentSignIn(_ session: Session) throws(Refusal) {
    guard now.timeIntervalSince(session.authenticatedAt) <= Self.recentSeconds else {
      throw Refusal(.credentialTooOldLoginAgain)
    }
  }

  /// Saves the account, and begins a session of it.
  mutating func begin(
    _ user: TestUser, by provider: Provider, authenticatedAt: Date? = nil,
    developerClaims: JSONObject = [:], with secondFactor: UsedFactor? = nil
  ) -> SessionTokens {
    var user = user
    user.lastSignInAt = now
    save(user)
    let session = Session(
      number: next(), uid: user.uid, provider: provider, createdAt: now,
      authenticatedAt: authenticatedAt ?? now, lastUsedAt: now, developerClaims: developerClaims,
      secondFactor: secondFactor, app: app)
    sessions.append(session)
    return tokens(of: session, user)
  }

  mutating func endSessions(of uid: String, where isMeant: (Session) -> Bool = { _ in true }) {
    for index in sessions.indices where sessions[index].uid == uid && isMeant(sessions[index]) {
      sessions[index].isEnded = true
    }
  }

  /// Also ends the account's codes, and sign-ins that wait for a second factor.
  mutating func revokeEverything(of uid: String) {
    endSessions(of: uid)
    codes.removeAll { $0.uid == uid }
    pendingSignIns = pendingSignIns.filter { $0.value.uid != uid }
  }

  mutating func refresh(_ request: TokenRequest) throws(Refusal) -> TokenResponse {
    guard request.grantType == .refreshToken else { throw Refusal(.invalidGrantType) }
    guard let text = request.refreshToken else { throw Refusal(.missingRefreshToken) }
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard text.hasPrefix("refresh-"), parts.count == 2,
      let index = sessions.firstIndex(where: { $0.number == parts[0] }),
      (0...sessions[index].rotation).contains(parts[1])
    else { throw Refusal(.invalidRefreshToken) }
    guard let user = user(sessions[index].uid) else { throw Refusal(.userNotFound) }
    if user.isDisabled { throw Refusal(.userDisabled) }
    if sessions[index].isEnded { throw Refusal(.tokenExpired) }
    // Of an earlier token, its successor may have been lost: it is accepted until that one was used, and
    // for a while after.
    let age = sessions[index].rotation - parts[1]
    if age > 1,
      now.timeIntervalSince(sessions[index].rotatedAt[age - 2]) >= Self.refreshGraceSeconds
    {
      sessions[index].isEnded = true
      throw Refusal(.tokenExpired, isCommitted: true)
    }
    if age == 0 {
      sessions[index].rotation += 1
      sessions[index].rotatedAt.insert(now, at: 0)
      sessions[index].lastUsedAt = now
    }
    let tokens = tokens(of: sessions[index], user)
    return TokenResponse(
      idToken: tokens.idToken, refreshToken: tokens.refreshToken,
      expiresInSeconds: tokens.expiresInSeconds, userID: user.uid, projectNumber: "1")
  }

  private mutating func tokens(of session: Session, _ user: TestUser) -> SessionTokens {
    let idToken = jwt(claims(of: session, user))
    idTokens[idToken] = IDTokenFacts(
      session: session.number, uid: user.uid,
      expiresAt: now.addingTimeInterval(TimeInterval(Self.idTokenSeconds)),
      authenticatedAt: session.authenticatedAt)
    return SessionTokens(
      idToken: idToken, refreshToken: "refresh-\(session.number)-\(session.rotation)",
      expiresInSeconds: Self.idTokenSeconds)
  }

  private func claims(of session: Session, _ user: TestUser) -> JSONObject {
    let issued = now.wireSeconds
    var claims: JSONObject = [
      "iss": .string("\(url.absoluteString)/demo"), "aud": "demo",
      "auth_time": .number(JSONNumber(session.authenticatedAt.wireSeconds)),
      "user_id": .string(user.uid), "sub": .string(user.uid),
      "iat": .number(JSONNumber(issued)),
      "exp": .number(JSONNumber(issued + Int64(Self.idTokenSeconds))),
    ]
    if session.provider == .anonymous { claims["provider_id"] = "anonymous" }
    if let name = user.displayName, !name.isEmpty { claims["name"] = .string(name) }
    if let photo = user.photoURL { claims["picture"] = .string(photo.absoluteString) }
    var identities: JSONObject = [:]
    if let email = user.email {
      claims["email"] = .string(email)
      claims["email_verified"] = .bool(user.isEmailVerified)
      identities["email"] = [.string(email)]
    }
    for identity in user.identities {
      identities[identity.provider.rawValue] = [.string(identity.uid)]
    }
    var firebase: JSONObject = [
      "identities": .object(identities), "sign_in_provider": .string(session.provider.rawValue),
      "sid": .string(session.id),
    ]
    if let used = session.secondFactor {
      firebase["sign_in_second_factor"] = .string(used.name)
      firebase["second_factor_identifier"] = used.factorID.map { .string($0) }
    }
    claims["firebase"] = .object(firebase)
    for claim in session.developerClaims.members + user.customClaims.members
    where claims[claim.name] == nil { claims[claim.name] = claim.value }
    return claims
  }

  /// A JWT that nobody signed. In place of the signature is a number, so that no two are the same.
  mutating func jwt(_ claims: JSONObject) -> String {
    let header: JSONObject = ["alg": "none", "typ": "JWT"]
    return [header.serialized(), claims.serialized(), Array("unsigned-\(next())".utf8)]
      .map { part in
        Data(part).base64EncodedString().replacingOccurrences(of: "+", with: "-")
          .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      }.joined(separator: ".")
  }
}

extension Date {
  var wireSeconds: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }
}
