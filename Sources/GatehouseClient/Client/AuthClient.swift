public import Foundation
import Synchronization

/// Signs people in to one project of a server, and keeps the session.
///
/// One per app and store. What stands here begins or ends a session; what a person does once signed
/// in is ``SignedInUser``.
///
/// Nothing is sent before the app asks for something: a launch with a session that the store has is
/// signed in without a request, offline too. Its work is done off the caller's actor.
public final class AuthClient: Sendable {
  let core: ClientCore

  public init(
    configuration: ClientConfiguration, store: any SessionStore,
    transport: any Transport, clock: any ClientClock = SystemClock()
  ) {
    core = ClientCore(
      configuration: configuration, store: store, transport: transport, clock: clock)
  }

  deinit { core.close() }

  public var configuration: ClientConfiguration { core.configuration }

  /// For what has to outlive a launch beside the session: a deletion that didn't end.
  var store: any SessionStore { core.store }
  var clock: any ClientClock { core.clock }

  /// Talks to a development server instead, with a session of its own in the store. Plain HTTP, to
  /// any host: a phone's tests reach the developer's machine.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` after the client was used for anything, and
  ///   for what is no host or port.
  public func connect(toEmulatorHost host: String, port: Int) throws(ClientError) {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    guard (1...65535).contains(port), let url = URL(string: "http://\(name):\(port)"),
      url.host != nil
    else { throw .invalidArgument(detail: "There is no such host and port.") }
    let isEarly = core.shared.withLock { shared in
      guard !shared.isUsed else { return false }
      shared.configuration.serverURL = url
      shared.configuration.usesEmulator = true
      return true
    }
    guard isEarly else {
      throw .invalidArgument(detail: "The emulator has to be chosen before anything else.")
    }
  }

  /// BCP 47, sent to the server for its e-mails and pages.
  public var languageCode: String? {
    get { core.shared.withLock(\.languageCode) }
    set { core.shared.withLock { $0.languageCode = newValue } }
  }

  /// The server's time, by the device's clock and what the server's answers said of it. What tells
  /// how old an ``IDToken/authenticatedAt`` is.
  public var serverNow: Date { core.time.now }

  // MARK: State

  /// The latest state. Reads the store the first time; otherwise it waits for nothing.
  public var state: SessionState { core.state }

  /// Who is signed in now. Nil while ``state`` is `loading`.
  public var currentUser: SignedInUser? { core.currentUser }

  /// Why ``state`` is `loading`, or why nobody is signed in though something was stored.
  public var storeFault: StoreFault? { core.shared.withLock(\.storeFault) }

  /// Calls `observer` at every change, in order and never twice at once, on a thread that made one;
  /// the first time before this returns, with the latest. Until the ``SessionObservation`` is
  /// cancelled or let go.
  ///
  /// An observer may do anything with the client. A change that it makes itself is told after it
  /// returned.
  public func observe(_ observer: @escaping @Sendable (SessionChange) -> Void)
    -> SessionObservation
  { core.observe(observer) }

  /// Who is signed in, the latest first: a value for each ``SessionChange/Kinds/session``.
  public var sessions: SessionSequence<SessionState> {
    SessionSequence(core, of: .session) { $0.state }
  }

  /// The ID tokens, the latest first; nil for nobody's. It may have expired:
  /// ``SignedInUser/idToken(forcingRefresh:)`` doesn't.
  public var idTokens: SessionSequence<IDToken?> {
    SessionSequence(core, of: .idToken) { $0.user?.heldIDToken }
  }

  /// What is known of the person, the latest first; nil for nobody.
  public var profiles: SessionSequence<UserSnapshot?> {
    SessionSequence(core, of: .profile) { $0.state.user }
  }

  /// Reads the store, again if it was locked. Makes no request.
  ///
  /// Where what is stored can't be read as a session, nobody is signed in and ``storeFault`` says
  /// why; it is kept until somebody signs in or out, as a later version of the app may know it.
  ///
  /// - Throws: ``ClientError/store(_:)``: the state stays `loading`, and nobody is signed out.
  @discardableResult
  public func load() throws(ClientError) -> SessionState {
    try core.load()
    return core.state
  }

  /// Ends the session on this device and forgets it. The server's session ends by itself or by
  /// revocation. Synchronous, so that nothing of the person is left when it returns.
  ///
  /// A sign-in that is under way ends with ``ClientError/cancelled``.
  ///
  /// - Throws: ``ClientError/store(_:)`` where it can't be forgotten. Then nothing changed.
  public func signOut() throws(ClientError) { try core.signOut() }

  /// Makes a user of another client (of the same project) the one who is signed in here, after the
  /// server said that the session is good.
  ///
  /// Another client's user is copied: hold ``currentUser`` from then on.
  @concurrent public func adopt(_ user: SignedInUser) async throws(ClientError) {
    try core.load()
    let sessionRequests = core.sessionRequests
    if user.core === core, core.isCurrent(user) { return }
    let token = try await user.idToken()
    let account: AccountInfo
    do {
      account = try await core.api.send(LookupCall(idToken: token.token))
    } catch {
      // What this server says ends no session of another client's.
      if user.core === core { throw user.failure(error, sent: token) }
      guard case .refused(let refusal, _) = error,
        let end = SessionEnd(refusalCode: refusal.code)
      else { throw ClientError(error) }
      throw .sessionEnded(end)
    }
    guard account.uid == user.uid else {
      throw .badAnswer(detail: "The server answered about another person.")
    }
    var session = user.held
    session.snapshot = UserSnapshot(account)
    _ = try core.begin(session, since: sessionRequests, as: user.core === core ? user : nil)
  }
}
