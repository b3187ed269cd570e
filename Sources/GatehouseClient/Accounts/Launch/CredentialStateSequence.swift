import GatehouseProtocol

/// What the device and the server know about the user's authorizations, beginning with the current
/// state: see ``AccountManager/credentialStates``.
///
/// Any number of loops may iterate over it, each with its own values. While no loop waits for a
/// value, neither the device nor the server is asked.
public struct CredentialStateSequence: AsyncSequence, Sendable {
  public typealias Element = CredentialStates
  public typealias Failure = Never

  private let manager: AccountManager

  init(_ manager: AccountManager) { self.manager = manager }

  public func makeAsyncIterator() -> Iterator { Iterator(manager) }

  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    private let manager: AccountManager
    private let news: CredentialNews
    // Not its iterator, which can be used on an actor only since iOS 18.
    private let wakeUps: AsyncStream<Void>
    private var last: CredentialStates?
    private var session: Session?

    /// What is known about the session of one user.
    private struct Session {
      let user: SignedInUser
      /// The ID token with which the account was read. Each new token is a reason to read it again.
      var readWith: IDToken?
      /// The device's responses, until it has to be asked again.
      var answers: [(identity: LinkedProvider, state: ProviderCredentialState?)] = []
    }

    fileprivate init(_ manager: AccountManager) {
      self.manager = manager
      let news = CredentialNews()
      self.news = news
      let (client, apple) = (manager.client, manager.devices.apple)
      wakeUps = AsyncStream(Void.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
        let revocations = apple?.observeRevocations {
          news.revocationNoted()
          continuation.yield()
        }
        let session = client.observe { change in
          news.note(change)
          continuation.yield()
        }
        continuation.onTermination = { _ in
          session.cancel()
          revocations?.cancel()
        }
      }
    }

    public mutating func next() async -> CredentialStates? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> CredentialStates? {
      while true {
        // The first value comes from the device and the store, so that it doesn't wait for the
        // network.
        let hasRead = last == nil ? false : await readAccountIfDue()
        if !hasRead {
          var wakeUps = wakeUps.makeAsyncIterator()
          if await wakeUps.next() == nil { return nil }
        }
        guard let states = await latest(), states != last else { continue }
        last = states
        return states
      }
    }

    /// Reads the account from the server if the client has a new ID token or needs one. In these cases
    /// the app uses the network anyway: a launch with a valid token sends no request.
    ///
    /// - Returns: False if there was nothing to do.
    private mutating func readAccountIfDue() async -> Bool {
      guard let session, session.user === manager.client.currentUser,
        !session.user.snapshot.isAnonymous, let token = session.user.heldIDToken,
        session.readWith?.isSameToken(as: token) != true
      else { return false }
      // A fault says nothing about the user's authorization. If the session has ended, the client's
      // observers are told.
      try? await session.user.reload()
      self.session?.readWith = session.user.heldIDToken
      return true
    }

    /// - Returns: Nil while the store can't be read: it isn't known whether a user is signed in.
    private mutating func latest() async -> CredentialStates? {
      guard let user = manager.client.currentUser else {
        session = nil
        if manager.client.state == .loading { return nil }
        return CredentialStates(sessionEnd: news.sessionEnd)
      }
      if session?.user !== user {
        let token = user.heldIDToken
        session = Session(user: user, readWith: token.flatMap { user.isGood($0) ? $0 : nil })
      }
      if news.takeDeviceIsDue() { session?.answers = [] }
      let linked = user.snapshot.providers
      var standings: [ProviderStanding] = []
      for identity in linked {
        standings.append(
          ProviderStanding(
            identity.provider, onDevice: await answer(about: identity),
            consentRevokedAt: identity.consentRevokedAt))
      }
      return CredentialStates(uid: user.uid, providers: standings)
    }

    private mutating func answer(about identity: LinkedProvider) async -> ProviderCredentialState? {
      let known = session?.answers.first {
        $0.identity.provider == identity.provider
          && $0.identity.uid.utf8.elementsEqual(identity.uid.utf8)
      }
      if let known { return known.state }
      let state = await manager.standing(of: identity.provider, in: [identity])
      session?.answers.append((identity, state))
      return state
    }
  }
}

/// The changes that a loop was told about since its last value.
private final class CredentialNews: Sendable {
  private struct State {
    var deviceIsDue = true
    var sessionEnd: SessionEnd?
  }

  private let state = Locked(State())

  var sessionEnd: SessionEnd? { state.withLock(\.sessionEnd) }

  func revocationNoted() { state.withLock { $0.deviceIsDue = true } }

  func note(_ change: SessionChange) {
    state.withLock { state in
      // Google's SDK doesn't report a revocation. Its token has the same lifetime as ours, so the SDK
      // is asked after each new ID token.
      if change.kinds.contains(.idToken) { state.deviceIsDue = true }
      guard change.kinds.contains(.session) else { return }
      state.sessionEnd = if case .sessionEnded(let end) = change.cause { end } else { nil }
    }
  }

  /// Whether the device has to be asked again. A second call returns false.
  func takeDeviceIsDue() -> Bool {
    state.withLock { state in
      defer { state.deviceIsDue = false }
      return state.deviceIsDue
    }
  }
}

extension AccountManager {
  /// Whether the user still authorizes the app at each linked provider, beginning with the current
  /// state. A value has what the device knows about Apple and Google, and what the providers reported
  /// to the server. If one of these events changes the states, a new value follows:
  ///
  /// - a user signs in or out, or links or unlinks a provider;
  /// - the system notifies the app that Apple's credential was revoked;
  /// - the client gets a new ID token, about once an hour: then the device is asked again, and the
  ///   account is read from the server;
  /// - the server has ended the session: ``CredentialStates/sessionEnd`` says why.
  ///
  /// Values are only for information: they sign no user out. Call ``checkProviders()`` for that. The
  /// first value needs no request, so it comes without a network too. If the ID token hasn't expired,
  /// the sequence sends no request at launch.
  public var credentialStates: CredentialStateSequence { CredentialStateSequence(self) }
}
