public import Foundation
import GatehouseProtocol

/// Signs users in to one project of a server, and keeps the session.
///
/// Create one for each app and store. This type begins and ends sessions; ``SignedInUser`` has what
/// a signed-in user can do.
///
/// The client sends no request until the app calls one of its functions: if the store has a session,
/// the user is signed in at launch without a request, also offline. The client works off the
/// caller's actor.
public final class AuthClient: Sendable {
  let core: ClientCore
  private let storeWatch: StoreWatch

  public convenience init(
    configuration: ClientConfiguration, store: any SessionStore,
    transport: any Transport, clock: any ClientClock = SystemClock()
  ) {
    self.init(
      configuration: configuration, store: store, transport: transport, clock: clock,
      notifications: .default)
  }

  /// - Parameters:
  ///   - notifications: Where the system reports what the app does. Nil: the caller calls ``load()`` when the
  ///     store may have changed.
  ///   - firebaseItems: What Google's SDK left on the device. Nil: what the keychain has.
  package init(
    configuration: ClientConfiguration, store: any SessionStore, transport: any Transport,
    clock: any ClientClock, notifications: NotificationCenter?,
    firebaseItems: (any FirebaseItems)? = nil
  ) {
    core = ClientCore(
      configuration: configuration, store: store, transport: transport, clock: clock,
      firebaseItems: firebaseItems ?? Self.firebaseItems(of: configuration))
    storeWatch = StoreWatch(core, notifications)
  }

  private static func firebaseItems(of configuration: ClientConfiguration) -> (any FirebaseItems)? {
    #if canImport(Security)
      configuration.formerFirebaseApp.map { FirebaseKeychain(app: $0) }
    #else
      nil
    #endif
  }

  deinit { core.close() }

  public var configuration: ClientConfiguration { core.configuration }

  /// Also keeps the progress of an incomplete deletion between launches.
  var store: any SessionStore { core.store }
  var clock: any ClientClock { core.clock }

  /// Uses a development server instead of the configured one. Its session is stored separately. Plain
  /// HTTP to any host is allowed, so that tests on a phone can reach the developer's machine.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` if the client was used before, and for an
  ///   invalid host or port.
  public func connect(toEmulatorHost host: String, port: Int) throws(ClientError) {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    guard (1...65535).contains(port), let url = URL(string: "http://\(name):\(port)"),
      url.host != nil
    else { throw .invalidArgument(detail: "The emulator's host or port is not valid.") }
    let isEarly = core.shared.withLock { shared in
      guard !shared.isUsed else { return false }
      shared.configuration.serverURL = url
      shared.configuration.usesEmulator = true
      return true
    }
    guard isEarly else {
      throw .invalidArgument(detail: "Connect to the emulator before the client is used.")
    }
  }

  /// The language of the server's emails and pages (BCP 47).
  public var languageCode: String? {
    get { core.shared.withLock(\.languageCode) }
    set { core.shared.withLock { $0.languageCode = newValue } }
  }

  /// The server's time, estimated from the device's clock and the server's responses. Compare
  /// ``IDToken/authenticatedAt`` with it to find out how old a sign-in is.
  public var serverNow: Date { core.time.now }

  // MARK: State

  /// The latest state. Reads the store on first use; afterwards it returns without waiting.
  public var state: SessionState { core.state }

  /// The user who is signed in now. Nil while ``state`` is `loading`.
  public var currentUser: SignedInUser? { core.currentUser }

  /// Why ``state`` is `loading`, or why no user is signed in although the store had data.
  public var storeFault: StoreFault? { core.shared.withLock(\.storeFault) }

  /// Calls `observer` at every change, in order and one call at a time, on a thread that made a
  /// change. The first call has the current state and comes before this function returns. The calls
  /// end when the ``SessionObservation`` is cancelled or released.
  ///
  /// An observer may call any function of the client. If it makes a change itself, it is called for
  /// that change after it has returned.
  public func observe(_ observer: @escaping @Sendable (SessionChange) -> Void)
    -> SessionObservation
  { core.observe(observer) }

  /// Whether a user is signed in: first the current state, then a value for each change of the kind
  /// ``SessionChange/Kinds/session``.
  public var sessions: SessionSequence<SessionState> {
    SessionSequence(core, of: .session) { $0.state }
  }

  /// The ID tokens, beginning with the held one; nil when no user is signed in. A token may have
  /// expired: ``SignedInUser/idToken(forcingRefresh:)`` returns a valid one.
  public var idTokens: SessionSequence<IDToken?> {
    SessionSequence(core, of: .idToken) { $0.user?.heldIDToken }
  }

  /// The user's profile, beginning with the held one; nil when no user is signed in.
  public var profiles: SessionSequence<UserSnapshot?> {
    SessionSequence(core, of: .profile) { $0.state.user }
  }

  /// Listens for what happens to the signed-in user's account elsewhere, so that the app need not wait for
  /// the next refresh. If the session ends, the user is signed out at once. If the profile changes, it is
  /// read again. While a user is signed in, the client holds a connection to the server. If the connection
  /// breaks, the client connects again after a growing pause.
  ///
  /// Listen while the app is active: systems suspend apps in the background, with their connections.
  /// ``AccountManager`` and `GatehouseAuth` listen by themselves.
  ///
  /// Without effect if the transport isn't a ``StreamingTransport``, or if the server offers no streams.
  ///
  /// - Returns: An observation to keep. The client listens until each observation that this function
  ///   returned is cancelled or released.
  public func listenForChanges() -> SessionObservation { core.listenForChanges() }

  /// Reads the store, and adopts what other processes changed since it was read. Sends no request.
  ///
  /// The client also does this by itself when the device was unlocked, when the app or the extension enters the
  /// foreground, and when another process changed a shared `KeychainStore`.
  ///
  /// If the stored data can't be read as a session, no user is signed in and ``storeFault`` says
  /// why. The data is kept until a user signs in or out, because a later version of the app may be
  /// able to read it.
  ///
  /// - Throws: ``ClientError/store(_:)``: the state stays as it is, and no user is signed out. With
  ///   ``StoreFault/Kind/unreadable``, a sign-in replaces the session, and a sign-out removes it.
  @discardableResult
  public func load() throws(ClientError) -> SessionState {
    try core.readAgain()
    return core.state
  }

  /// Moves the session to the store of `other`, unless that has one, and removes it here. Sends no request.
  ///
  /// - Throws: ``ClientError/store(_:)`` if a store can't be used. Then nothing was moved.
  package func moveSession(to other: AuthClient) throws(ClientError) {
    try core.moveSession(to: other.core)
  }

  /// Ends the session on this device. Sends no request: on the server, the session ends when it
  /// expires or is revoked. When the function returns, the session has been removed from the store.
  ///
  /// A sign-in in progress ends with ``ClientError/cancelled``.
  ///
  /// - Throws: ``ClientError/store(_:)`` if the session can't be removed. Nothing was changed then.
  public func signOut() throws(ClientError) { try core.signOut() }

  /// Makes a user of another client (of the same project) the signed-in user of this one, after the
  /// server confirmed that the session is valid.
  ///
  /// If the user belongs to another client, this client gets a copy: use ``currentUser`` from then on.
  @concurrent public func adopt(_ user: SignedInUser) async throws(ClientError) {
    try await core.loadBeforeSignIn()
    let sessionRequests = core.sessionRequests
    if user.core === core, core.isCurrent(user) { return }
    // Moved from the store of another client.
    if let current = core.currentUser, current.held.tokens == user.held.tokens { return }
    let account =
      if user.core === core {
        try await user.call { LookupCall(idToken: $0) }
      } else {
        try await account(of: user)
      }
    guard account.uid == user.uid else {
      throw .badAnswer(detail: "The server responded about another account.")
    }
    var session = user.held
    session.snapshot = UserSnapshot(account)
    _ = try await core.begin(session, since: sessionRequests, as: user.core === core ? user : nil)
  }

  /// The account of another client's user. This server's refusal doesn't end the session of that client.
  private func account(of user: SignedInUser) async throws(ClientError) -> AccountInfo {
    let token = try await user.idToken()
    do {
      return try await core.api.send(LookupCall(idToken: token.token))
    } catch {
      guard case .refused(let refusal, _) = error,
        let end = SessionEnd(refusalCode: refusal.code)
      else { throw ClientError(error) }
      throw .sessionEnded(end)
    }
  }
}
