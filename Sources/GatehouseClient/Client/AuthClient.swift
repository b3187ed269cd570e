public import Foundation

/// Signs people in to one project of a server, and keeps the session.
///
/// One per app and store. What stands here begins or ends a session; what a person does once signed
/// in is ``SignedInUser``.
public actor AuthClient {
  public nonisolated let configuration: ClientConfiguration
  /// For what has to outlive a launch beside the session: a deletion that didn't end.
  nonisolated let store: any SessionStore
  nonisolated let clock: any ClientClock

  public init(
    configuration: ClientConfiguration, store: any SessionStore,
    transport: any Transport, clock: any ClientClock = SystemClock()
  ) {
    self.configuration = configuration
    self.store = store
    self.clock = clock
  }

  /// The server's time, by the device's clock and what the server's answers said of it. What tells
  /// how old an ``IDToken/authenticatedAt`` is.
  public nonisolated var serverNow: Date { clock.now }

  // MARK: State

  /// The latest state, without waiting.
  public nonisolated var state: SessionState { .loading }

  /// Who is signed in now. Nil while ``state`` is `loading`.
  public nonisolated var currentUser: SignedInUser? { nil }

  /// Calls `observer` at every change, in order, on the thread that made it; the first time before
  /// this returns, with the latest. Until the ``SessionObservation`` is cancelled or let go.
  public nonisolated func observe(_ observer: @escaping @Sendable (SessionChange) -> Void)
    -> SessionObservation
  { SessionObservation {} }

  /// Reads the store, again if it was locked.
  @discardableResult
  public nonisolated func load() throws(ClientError) -> SessionState { throw .notSignedIn }

  /// BCP 47, sent to the server for its e-mails and pages.
  public nonisolated var languageCode: String? {
    get { nil }
    set {}
  }

  // MARK: Signing in

  @discardableResult
  public func signIn(with credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  { throw .notSignedIn }

  /// Nobody new gets an account before they were asked.
  public func signInAsking(with credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInOutcome
  { throw .notSignedIn }

  /// An anonymous session that exists is kept and returned.
  @discardableResult
  public func signInAnonymously() async throws(ClientError) -> SignInResult { throw .notSignedIn }

  @discardableResult
  public func signIn(withCustomToken token: String) async throws(ClientError) -> SignInResult {
    throw .notSignedIn
  }

  @discardableResult
  public func createUser(email: String, password: String) async throws(ClientError) -> SignInResult
  { throw .notSignedIn }

  /// Ends the session on this device and forgets it. The server's session ends by itself or by
  /// revocation. Synchronous, so that nothing of the person is left when it returns.
  public nonisolated func signOut() throws(ClientError) { throw .notSignedIn }

  /// Makes a user of another client (of the same project) the one who is signed in here, after the
  /// server said that the session is good.
  public func adopt(_ user: SignedInUser) async throws(ClientError) { throw .notSignedIn }

  // MARK: Codes by mail

  public func sendPasswordReset(to email: String, settings: ActionLinkSettings? = nil)
    async throws(ClientError)
  { throw .notSignedIn }

  public func sendSignInLink(to email: String, settings: ActionLinkSettings)
    async throws(ClientError)
  { throw .notSignedIn }

  /// What a code is for. Doesn't use it up.
  public func check(actionCode: String) async throws(ClientError) -> ActionCodeContents {
    throw .notSignedIn
  }

  public func apply(actionCode: String) async throws(ClientError) { throw .notSignedIn }

  public func resetPassword(code: String, newPassword: String) async throws(ClientError) {
    throw .notSignedIn
  }

  /// Empty where the project protects against enumeration.
  public func signInMethods(for email: String) async throws(ClientError) -> [String] {
    throw .notSignedIn
  }

  // MARK: In a browser

  /// Begins a sign-in in a browser, for ``IdentityProviderCredential/redirect``.
  public nonisolated func handlerURL(_ request: BrowserSignInRequest) throws(ClientError) -> URL {
    throw .notSignedIn
  }
}

/// A change of who is signed in, or of what is known of them.
public struct SessionChange: Sendable {
  public var state: SessionState
  public var user: SignedInUser?
  public var kinds: Kinds

  public struct Kinds: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Somebody else is signed in, or nobody, or it is known for the first time.
    public static let session = Kinds(rawValue: 1)
    /// There is another ID token (also none).
    public static let idToken = Kinds(rawValue: 2)
    /// Something in the snapshot is different.
    public static let profile = Kinds(rawValue: 4)
  }

  package init(state: SessionState, user: SignedInUser?, kinds: Kinds) {
    self.state = state
    self.user = user
    self.kinds = kinds
  }
}

/// Holds an observer in place. Ends it when cancelled or let go.
public final class SessionObservation: Sendable {
  private let end: @Sendable () -> Void
  package init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  public func cancel() { end() }
  deinit { end() }
}

/// How a sign-in that asks first went.
public enum SignInOutcome: Sendable {
  case signedIn(SignInResult)
  /// Nobody has this identity yet. Ask the person, then go on with one of the offer's two ways.
  case newAccount(NewAccountOffer)
}

/// A sign-in that waits for the person's answer. Ten minutes; no second sheet.
public struct NewAccountOffer: Sendable {
  public let provider: Provider
  public let email: String?
  let client: AuthClient
  let pending: IdentityProviderCredential

  /// "I'm new": makes the account.
  @discardableResult
  public func `continue`(consent: Consent? = nil) async throws(ClientError) -> SignInResult {
    try await client.signIn(with: .identityProvider(pending), consent: consent)
  }

  /// "I have an account": signs in to it with `credential`, then links this identity.
  @discardableResult
  public func linkToExisting(_ credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    let existing = try await client.signIn(with: credential)
    return try await existing.user.link(.identityProvider(pending), consent: consent)
  }
}

/// Where a mailed link leads.
public struct ActionLinkSettings: Sendable, Hashable {
  public var continueURL: URL?
  public var handleCodeInApp = false
  public var iosBundleID: String?
  public var androidPackageName: String?
  public var androidMinimumVersion: String?
  public var androidInstallIfNotAvailable = false
  public var linkDomain: String?

  public init() {}
}

/// What a mailed code is for.
public struct ActionCodeContents: Sendable, Hashable {
  /// The server's name for it: `PASSWORD_RESET`, `VERIFY_EMAIL`, `EMAIL_SIGNIN`, `RECOVER_EMAIL`,
  /// `VERIFY_AND_CHANGE_EMAIL`.
  public var requestType: String
  public var email: String?
  public var newEmail: String?
}

/// What a sign-in in a browser begins with.
public struct BrowserSignInRequest: Sendable, Hashable {
  public var provider: Provider
  public var scopes: [String]
  public var customParameters: [String: String]
  /// Random; the handler is given its SHA-256 in hex.
  public var sessionID: String
  public var eventID: String
  /// Where the browser ends: `<scheme>://firebaseauth/link`, or a loopback address (RFC 8252 §7.3).
  public var redirectURL: String

  public init(
    provider: Provider, scopes: [String] = [], customParameters: [String: String] = [:],
    sessionID: String, eventID: String, redirectURL: String
  ) {
    self.provider = provider
    self.scopes = scopes
    self.customParameters = customParameters
    self.sessionID = sessionID
    self.eventID = eventID
    self.redirectURL = redirectURL
  }
}
