/// Whether a user is signed in: `loading → signedOut | signedIn`, and then between the last two.
///
/// A pure state machine: each method is called for an event, and returns the change to report to
/// observers, or nil if nothing changed. The client keeps the machine in one mutex.
struct SessionMachine: Sendable {
  /// Counts sessions. Work that began in one session doesn't change another.
  typealias Generation = UInt64

  private enum Phase: Sendable {
    case loading
    case signedOut
    case signedIn(HeldSession)
  }

  /// The change that observers are told about.
  struct Event: Sendable, Hashable {
    var state: SessionState
    var kinds: SessionChange.Kinds
    var cause: ClientError?
  }

  private var phase = Phase.loading
  /// The number of the current session, or of the last one.
  private(set) var generation: Generation = 0
  /// Counts the sign-ins and sign-outs that the app requested and that took effect. If the count
  /// changes during a sign-in, the response comes too late. A session that the server or another
  /// process ends isn't counted.
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

  /// Whether `generation` is the current session.
  func isCurrent(_ generation: Generation) -> Bool {
    session != nil && generation == self.generation
  }

  /// Called when the store was read. Later calls do nothing.
  ///
  /// - Parameter cause: Why there is no session, if the app has to know.
  mutating func loaded(_ session: HeldSession?, cause: ClientError? = nil) -> Event? {
    guard isLoading else { return nil }
    return begin(session, cause: cause)
  }

  /// A user signed in, possibly in place of another one: a new session begins.
  mutating func signedIn(_ session: HeldSession) -> Event {
    sessionRequests += 1
    return begin(session, cause: nil)
  }

  /// Another process stored another user's session.
  mutating func replaced(by session: HeldSession) -> Event { begin(session, cause: nil) }

  /// The session has other tokens, or the profile changed.
  ///
  /// - Returns: Nil also if that session isn't the current one.
  mutating func updated(_ session: HeldSession, of generation: Generation) -> Event? {
    guard isCurrent(generation), let old = self.session else { return nil }
    var kinds: SessionChange.Kinds = []
    if !old.tokens.idToken.isSameToken(as: session.tokens.idToken) { kinds.insert(.idToken) }
    if old.snapshot != session.snapshot { kinds.insert(.profile) }
    phase = .signedIn(session)
    return kinds.isEmpty ? nil : Event(state: state, kinds: kinds, cause: nil)
  }

  /// The app signed the user out.
  mutating func signedOut() -> Event? {
    sessionRequests += 1
    return ended(cause: nil)
  }

  /// The session ended without a request of the app.
  ///
  /// - Parameter cause: Nil if another process signed out.
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
