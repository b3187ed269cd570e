public import Foundation
public import GatehouseClient
public import GatehouseProtocol

/// A server in memory, for an app's tests and previews. It answers like `gatehouse serve --dev`, without a
/// network and without a wait, and its ``clock`` stands still.
///
/// Give each test a server of its own. Safe to use from any thread.
///
/// It has no sign-in by phone number or in a browser, no nonces of its own, and no export: such a
/// request is refused with `OPERATION_NOT_ALLOWED` and a detail that names it. It asks for no consent, has no blocking
/// functions, rate limits, password policy or grace period of a deletion, sends no notices and no codes that
/// restore an address, and trusts an identity that an old session linked. Its tokens have no signature: a back
/// end rejects them.
public final class AuthTestServer: StreamingTransport {
  static let apiKey = "test"

  struct Shared {
    var state: ServerState
    var calls: [Method] = []
    var isOffline = false
    var faults: [Method: (fault: Fault, times: Int)] = [:]
    /// The calls that wait, for each method whose calls wait.
    var held: [Method: [SheetAnswer<Void>]] = [:]
    /// Those who wait for such a call.
    var awaited: [Method: [SheetAnswer<Void>]] = [:]
    var streams: [Int: Stream] = [:]
  }

  public let clock = TestClock()
  /// `https://auth.test`. Nothing is sent there.
  public let url: URL
  let shared: Locked<Shared>
  private let protectsEmails: Bool

  /// - Parameter protectsEmails: Email enumeration protection. On, as in a new project: a wrong password and
  ///   an unknown address are the same error, and a new address has to be verified first.
  public init(protectsEmails: Bool = true) {
    url = URL(string: "https://auth.test") ?? URL(fileURLWithPath: "/")
    self.protectsEmails = protectsEmails
    shared = Locked(
      Shared(state: ServerState(now: clock.now, url: url, protectsEmails: protectsEmails)))
  }

  /// Forgets accounts, sessions, persons, emails, text messages, calls and faults, and lets waiting calls go on. The clock
  /// stays. A user who is signed in then gets `INVALID_ID_TOKEN`.
  public func reset() {
    Method.allCases.forEach(release)
    let streams = shared.withLock { shared in
      let streams = shared.streams
      shared = Shared(
        state: ServerState(now: clock.now, url: url, protectsEmails: protectsEmails))
      return streams
    }
    for stream in streams.values { stream.pieces.finish() }
  }

  // MARK: Calls

  /// What an app can ask for, by the name of the endpoint.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    case signUp, signInWithPassword, signInWithIdp, signInWithEmailLink, signInWithCustomToken
    case token, lookup, update, delete, revokeToken
    case sendOobCode, resetPassword, createAuthUri, sessions, endSession
    case startMFAEnrollment = "mfaEnrollment:start"
    case finalizeMFAEnrollment = "mfaEnrollment:finalize"
    case withdrawMFA = "mfaEnrollment:withdraw"
    case startMFASignIn = "mfaSignIn:start"
    case finalizeMFASignIn = "mfaSignIn:finalize"
    case createRecoveryCodes = "recoveryCodes:create"
    case startPasskeyEnrollment = "passkeyEnrollment:start"
    case finalizePasskeyEnrollment = "passkeyEnrollment:finalize"
    case startPasskeySignIn = "passkeySignIn:start"
    case finalizePasskeySignIn = "passkeySignIn:finalize"

    /// `v1/accounts:lookup`, `v1/token`, `v2/accounts/mfaSignIn:start`
    init?(path: String) {
      let name = path.split(separator: "/").last ?? ""
      self.init(rawValue: name.hasPrefix("accounts:") ? String(name.dropFirst(9)) : String(name))
    }
  }

  /// The calls so far, also those that failed; without those of a stream that listens for changes.
  public var calls: [Method] { shared.withLock(\.calls) }

  // MARK: Faults

  public enum Fault: Sendable, Hashable {
    /// The server refuses: `CODE`, or `CODE : detail`.
    case refused(String)
    /// Nothing arrives at the server. The client sends some calls again after `.lost`, `.cannotConnect`,
    /// `.timedOut` and `.serverUnavailable`, four times at most.
    case network(NetworkFault.Kind)

    public static let tooManyAttempts = Fault.refused(
      "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later.")
    public static let userDisabled = Fault.refused("USER_DISABLED")
    public static let connectionLost = Fault.network(.lost)
  }

  /// Calls of `method` fail from now on.
  ///
  /// - Parameter times: How many. Nil: until ``succeed(_:)`` or ``reset()``.
  public func fail(_ method: Method, with fault: Fault, times: Int? = nil) {
    shared.withLock { $0.faults[method] = (fault, times ?? .max) }
  }

  /// Calls of `method` don't fail any more.
  public func succeed(_ method: Method) { shared.withLock { $0.faults[method] = nil } }

  /// Whether every call fails with `NetworkFault.Kind.offline`.
  public var isOffline: Bool {
    get { shared.withLock(\.isOffline) }
    set { shared.withLock { $0.isOffline = newValue } }
  }

  /// Calls of `method` wait from now on, until ``release(_:)`` or until their task is cancelled.
  public func hold(_ method: Method) {
    shared.withLock { $0.held[method] = $0.held[method] ?? [] }
  }

  /// The calls of `method` that wait go on, and later ones don't wait.
  public func release(_ method: Method) {
    let held = shared.withLock { $0.held.removeValue(forKey: method) ?? [] }
    for call in held { call.give(.success(())) }
  }

  /// Returns when a call of `method` waits because of ``hold(_:)``.
  ///
  /// - Throws: `CancellationError`
  public func waitUntilHeld(_ method: Method) async throws {
    let arrival = SheetAnswer<Void>()
    let isThere = shared.withLock { shared in
      if let held = shared.held[method], !held.isEmpty { return true }
      shared.awaited[method, default: []].append(arrival)
      return false
    }
    if isThere { return }
    do { try await arrival.value() } catch { throw CancellationError() }
  }

  // MARK: Accounts, as an administrator or another device sees and changes them

  /// In the order of their creation.
  public var users: [TestUser] { shared.withLock { $0.state.users } }

  public func user(_ uid: String) -> TestUser? { shared.withLock { $0.state.user(uid) } }

  public func user(email: String) -> TestUser? {
    shared.withLock { $0.state.user(email: EmailAddress(email)?.text) }
  }

  /// Creates an account. It replaces one with the same uid.
  ///
  /// - Parameters:
  ///   - uid: `user1`, … if nil.
  ///   - email: Ignored if it isn't an address, or another account has it.
  @discardableResult
  public func createUser(
    uid: String? = nil, email: String? = nil, password: String? = nil, displayName: String? = nil,
    isEmailVerified: Bool = false
  ) -> TestUser {
    change { state in
      var user = uid.map { TestUser(uid: $0, createdAt: state.now) } ?? state.newUser()
      let address = email.flatMap { EmailAddress($0)?.text }
      user.email = state.user(email: address).map { $0.uid == user.uid } ?? true ? address : nil
      user.isEmailVerified = isEmailVerified && user.email != nil
      user.password = password
      user.displayName = displayName
      state.save(user)
      return user
    }
  }

  /// Changes an account, as an administrator does. Its sessions go on, unless it is disabled.
  ///
  /// - Returns: Nil if there is no such account.
  @discardableResult
  public func updateUser(_ uid: String, _ body: (inout TestUser) -> Void) -> TestUser? {
    change { state in
      guard var user = state.user(uid) else { return nil }
      body(&user)
      user.email = user.email.flatMap { EmailAddress($0)?.text }
      state.save(user)
      return user
    }
  }

  public func deleteUser(_ uid: String) { change { $0.erase(uid) } }

  /// Signs the user out on every device.
  public func revokeRefreshTokens(_ uid: String) { change { $0.revokeEverything(of: uid) } }

  /// A token of the app's own back end, valid for an hour.
  public func customToken(uid: String, claims: JSONObject = [:]) -> String {
    change { state in
      let issued = state.now.wireSeconds
      return state.jwt([
        "iss": "back-end@example.com", "sub": "back-end@example.com",
        "aud":
          "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        "iat": .number(JSONNumber(issued)), "exp": .number(JSONNumber(issued + 3600)),
        "uid": .string(uid), "claims": .object(claims),
      ])
    }
  }

  // MARK: Providers

  /// Adds a person, or replaces the one with the same id.
  public func add(_ person: TestPerson) {
    change { state in
      state.persons.removeAll { $0.id == person.id }
      state.persons.append(person)
    }
  }

  /// What a provider's sheet or SDK returns when a person agrees.
  ///
  /// - Parameters:
  ///   - provider: `.apple`, `.google`, `.facebook`, `.github`, `.microsoft`, or one of OpenID Connect, whose
  ///     id begins with `oidc.`.
  ///   - nonce: As the app gives it to the provider: the SHA-256 of the raw nonce, in lower-case hex.
  public func authorize(
    _ provider: Provider, person: TestPerson = .alice, nonce: String? = nil
  ) -> ProviderTokens {
    change { state in
      if !state.persons.contains(where: { $0.id == person.id }) { state.persons.append(person) }
      return state.authorize(provider, person: person.id, nonce: nonce)
        ?? ProviderTokens(userID: "", idToken: "", accessToken: "", authorizationCode: "")
    }
  }

  /// The person withdraws the app's access in the provider's settings.
  public func revokeAuthorization(of person: TestPerson, at provider: Provider) {
    change { $0.revokeGrant(of: "\(provider.rawValue)-\(person.id)", at: provider) }
  }

  /// Apple's sheet on the device of `person`, for `AccountManager`.
  public func appleSheet(
    _ person: SimulatedPerson = SimulatedPerson("alice"), bundleID: String = "com.example.app"
  ) -> SimulatedAppleSheet {
    SimulatedAppleSheet(
      simulatorURL: url, bundleID: bundleID, person: person, transport: self)
  }

  /// Google's SDK on the device of `person`, for `AccountManager`.
  public func googleSignIn(
    _ person: SimulatedPerson = SimulatedPerson("alice")
  ) -> SimulatedGoogleSignIn {
    SimulatedGoogleSignIn(
      simulatorURL: url, clientID: "demo.apps.example.com", person: person, transport: self,
      clock: clock)
  }

  // MARK: Emails

  /// An email whose code hasn't been used.
  public struct Email: Sendable, Hashable {
    public var to: String
    /// As `ActionCodeContents.requestType`, such as `EMAIL_SIGNIN`.
    public var requestType: String
    public var link: String
    public var code: String
    /// The six digits, if the app asked for them.
    public var digits: String?
  }

  /// Oldest first, also with expired codes.
  public var emails: [Email] {
    shared.withLock { shared in
      shared.state.codes.map {
        Email(
          to: $0.newEmail ?? $0.email, requestType: $0.type.name, link: $0.link, code: $0.code,
          digits: $0.digits)
      }
    }
  }
}
