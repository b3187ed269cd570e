/// Who is signed in: `loading → signedOut | signedIn`, and between those two.
///
/// Pure: a method is told what happened and returns what observers are to be told, or nil where
/// nothing changed. The client holds it in one mutex.
struct SessionMachine: Sendable {
  /// Counts sessions. What was begun in one doesn't change another.
  typealias Generation = UInt64

  private enum Phase: Sendable {
    case loading
    case signedOut
    case signedIn(HeldSession)
  }

  /// What observers are told.
  struct Event: Sendable, Hashable {
    var state: SessionState
    var kinds: SessionChange.Kinds
    var cause: ClientError?
  }

  private var phase = Phase.loading
  /// Of the session that is held, or that was held last.
  private(set) var generation: Generation = 0
  /// Counts what the app wanted and got: sign-ins and sign-outs. An answer to what was wanted before
  /// the latest of them comes too late. That a session ended by itself counts for nothing.
  private(set) var sessionRequests: UInt64 = 0

  var isLoading: Bool { if case .loading = phase { true } else { false } }

  var session: HeldSession? { if case .signedIn(let session) = phase { session } else { nil } }

  var state: SessionState {
    switch phase {
    case .loading: .loading
    case .signedOut: .signedOut
    case .signedIn(let session): .signedIn(session.snapshot)
    }
  }

  /// Whether the session of `generation` is the one that is held.
  func isCurrent(_ generation: Generation) -> Bool {
    session != nil && generation == self.generation
  }

  /// The store was read. Nothing happens the second time.
  ///
  /// - Parameter cause: Why there is no session, where the app should know.
  mutating func loaded(_ session: HeldSession?, cause: ClientError? = nil) -> Event? {
    guard isLoading else { return nil }
    return begin(session, cause: cause)
  }

  /// Somebody signed in, also over somebody else: another session begins.
  mutating func signedIn(_ session: HeldSession) -> Event {
    sessionRequests += 1
    return begin(session, cause: nil)
  }

  /// Another process left somebody else's session.
  mutating func replaced(by session: HeldSession) -> Event { begin(session, cause: nil) }

  /// The session has other tokens, or more is known of the person.
  ///
  /// - Returns: Nil also where that session isn't the one that is held.
  mutating func updated(_ session: HeldSession, of generation: Generation) -> Event? {
    guard isCurrent(generation), let old = self.session else { return nil }
    var kinds: SessionChange.Kinds = []
    if !old.tokens.idToken.isSameToken(as: session.tokens.idToken) { kinds.insert(.idToken) }
    if old.snapshot != session.snapshot { kinds.insert(.profile) }
    phase = .signedIn(session)
    return kinds.isEmpty ? nil : Event(state: state, kinds: kinds, cause: nil)
  }

  /// The app wants nobody to be signed in.
  mutating func signedOut() -> Event? {
    sessionRequests += 1
    return ended(cause: nil)
  }

  /// Nobody is signed in any more, without the app's doing.
  ///
  /// - Parameter cause: Nil where another process signed out.
  mutating func ended(cause: ClientError?) -> Event? {
    if case .signedOut = phase { return nil }
    return begin(nil, cause: cause)
  }

  private mutating func begin(_ session: HeldSession?, cause: ClientError?) -> Event {
    generation += 1
    phase = session.map(Phase.signedIn) ?? .signedOut
    return Event(state: state, kinds: [.session, .idToken, .profile], cause: cause)
  }
}
