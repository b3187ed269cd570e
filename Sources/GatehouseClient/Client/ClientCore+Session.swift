import Foundation
import GatehouseProtocol

/// How sessions begin, change and end. Each change takes `storeLock` once.
extension ClientCore {
  /// The key of this client's session in the store. It depends on the project, the API key, the app
  /// name and whether the server is an emulator.
  var storeKey: String {
    configuration.sessionStoreKey
  }

  // MARK: Loading

  /// Reads the store, unless it was read before or reading failed.
  func loadOnce() {
    guard shared.withLock({ $0.machine.isLoading && $0.storeFault == nil }) else { return }
    _ = try? load()
  }

  /// - Throws: ``ClientError/store(_:)``; the state stays `loading`.
  func load() throws(ClientError) {
    guard shared.withLock(\.machine.isLoading) else { return }
    try inOrder { (pending) throws(ClientError) in try load(&pending) }
  }

  /// Reads the store before a sign-in that the user asked for.
  ///
  /// A session that can't be read doesn't stop the sign-in, which replaces it like any other session.
  /// Otherwise a file with the wrong permissions would keep the user out until they sign out.
  ///
  /// - Throws: ``ClientError/store(_:)`` if the store is locked or busy: the new session couldn't be
  ///   stored either, and the credential may work only once.
  func loadBeforeSignIn() throws(ClientError) {
    do {
      try load()
    } catch .store(let fault) where fault.kind == .unreadable {
      return
    }
  }

  private func load(_ pending: inout PendingStoreWrites) throws(ClientError) {
    guard shared.withLock(\.machine.isLoading) else { return }
    let session: HeldSession?
    do throws(StoreFault) {
      session = try storedSession()
    } catch {
      // Damaged data won't become readable later. It stays until a user signs in or out: another version
      // of the app may be able to read it.
      if error.kind == .damaged { return settle(nil, fault: error) }
      shared.withLock {
        $0.isUsed = true
        $0.storeFault = error
      }
      throw .store(error)
    }
    settle(session, fault: nil)
  }

  /// The session in the store, or the one that Google's SDK left.
  private func storedSession() throws(StoreFault) -> HeldSession? {
    if let data = try store.read(storeKey) {
      let stored = try StoredSession(data: data)
      let held = try stored.held()
      time.recall(
        offsetSeconds: stored.serverTimeOffset, issuedAt: held.tokens.idToken.issuedAt)
      return held
    }
    guard let session = try firebaseSession() else { return nil }
    // Also if a later version of the app has no ``FormerFirebaseApp``, the user stays signed in. Google's
    // item stays until the session is traded.
    let data = try StoredSession(session, serverTimeOffset: time.offsetSeconds).data()
    try store.write(data, for: storeKey)
    return session
  }

  private func settle(_ session: HeldSession?, fault: StoreFault?) {
    shared.withLock { shared in
      shared.isUsed = true
      shared.storeFault = fault
      let event = shared.machine.loaded(session, cause: fault.map(ClientError.store))
      if let session, !shared.isClosed {
        let user = SignedInUser(session, core: self)
        user.hold(session, generation: shared.machine.generation)
        shared.user = user
      }
      shared.tell(event)
    }
  }

  // MARK: Beginning and ending

  /// Stores `session` and makes it the client's.
  ///
  /// - Parameters:
  ///   - sessionRequests: The value of ``sessionRequests`` when the user asked to sign in.
  ///   - known: The existing object of this user; nil to create one.
  /// - Throws: ``ClientError/cancelled`` if a user signed out or in meanwhile;
  ///   ``ClientError/store(_:)`` if the session can't be stored. The user is then not signed in,
  ///   because the session would be lost at the next launch.
  func begin(
    _ session: HeldSession, since sessionRequests: UInt64,
    as known: SignedInUser? = nil
  ) throws(ClientError) -> SignedInUser {
    time.learn(issuedAt: session.tokens.idToken.issuedAt)
    let user = try inOrder { (pending) throws(ClientError) -> SignedInUser in
      guard self.sessionRequests == sessionRequests else { throw .cancelled }
      do throws(StoreFault) {
        let data = try StoredSession(session, serverTimeOffset: time.offsetSeconds).data()
        try store.write(data, for: storeKey)
      } catch {
        throw .store(error)
      }
      // No later launch must bring the former user back.
      removeFirebaseItems()
      pending = PendingStoreWrites()
      return shared.withLock { $0.begin(session, as: known, isWanted: true, in: self) }
    }
    keepFresh(session)
    return user
  }

  /// Ends the session at the app's request.
  func signOut() throws(ClientError) {
    loadOnce()
    try inOrder { (pending) throws(ClientError) in
      let isEmpty = shared.withLock { $0.machine.state == .signedOut && $0.storeFault == nil }
      do throws(StoreFault) {
        try firebaseItems?.remove()
        if !isEmpty || pending.needsRemoval { try store.remove(storeKey) }
      } catch {
        throw .store(error)
      }
      pending = PendingStoreWrites()
      background.cancel()
      forget { $0.signedOut() }
    }
  }

  /// Reports to observers that the store doesn't have what it should. The session continues.
  private func report(_ fault: StoreFault) {
    shared.withLock { shared in
      shared.tell(
        SessionMachine.Event(state: shared.machine.state, kinds: [], cause: .store(fault)))
    }
  }

  func forget(_ end: (inout SessionMachine) -> SessionMachine.Event?) {
    spentCredentials.forgetAll()
    shared.withLock { shared in
      shared.user = nil
      shared.storeFault = nil
      shared.freshening = nil
      shared.tell(end(&shared.machine))
    }
  }

  /// Ends the session of `user` because it has ended on the server.
  ///
  /// - Parameters:
  ///   - refused: The token that the server refused. If the user has other tokens by now, from this
  ///     process or another, the refusal doesn't apply to them. Nil: the session ends whatever its
  ///     tokens are.
  ///   - cause: The cause to report to observers.
  /// - Returns: False if the session continues with other tokens.
  func end(_ user: SignedInUser, refused: IDToken?, cause: ClientError?) -> Bool {
    if cause == .sessionEnded(.deleted) { forgetProfiles(of: user.snapshot) }
    let isOver = try? inOrder { (pending) throws(ClientError) -> Bool in
      let held = user.held
      if let refused, !held.tokens.idToken.isSameToken(as: refused) { return false }
      guard isCurrent(user) else { return true }
      var newer: HeldSession?
      do throws(StoreFault) {
        try updateStore { (data) throws(StoreFault) in
          newer = Self.newer(in: data, than: held)
          if refused == nil, newer?.uid == held.uid { newer = nil }
          return newer == nil ? nil : data
        }
      } catch {
        pending.needsRemoval = true
        report(error)
      }
      if let newer {
        adopt(newer, for: user)
        return !isCurrent(user)
      }
      removeFirebaseItems()
      forget { $0.ended(cause: cause) }
      return true
    }
    return isOver ?? true
  }

  /// Signs out because the account of `user` was deleted. If the account's user has signed in again since
  /// `user` did, ends this session, too.
  func endSessions(ofDeleted user: SignedInUser) {
    forgetProfiles(of: user.snapshot)
    _ = end(user, refused: nil, cause: nil)
    guard let current = currentUser, current.uid == user.uid else { return }
    _ = end(current, refused: nil, cause: nil)
  }

  // MARK: Changing

  func isCurrent(_ user: SignedInUser) -> Bool {
    shared.withLock { $0.machine.isCurrent(user.generation) }
  }

  /// Changes the session of `user`, and stores it.
  ///
  /// - Parameter rotating: The tokens that a refresh exchanged for new ones. If the user has other
  ///   tokens by now, nothing changes: a link, a re-authentication or a new password has begun another
  ///   session during the refresh, and the former one may have ended. If another process has other
  ///   tokens that aren't older, those are used instead.
  func update(
    _ user: SignedInUser, rotating used: HeldTokens? = nil, _ change: (inout HeldSession) -> Void
  ) -> HeldSession {
    let updated = try? inOrder { (pending) throws(ClientError) -> HeldSession in
      var session = user.held
      let before = session
      if let used, !before.tokens.idToken.isSameToken(as: used.idToken) { return before }
      change(&session)
      guard isCurrent(user) else {
        user.hold(session)
        return session
      }
      var other: HeldSession?
      var isGone = false
      do throws(StoreFault) {
        let offset = time.offsetSeconds
        let changed = session
        try updateStore { (data) throws(StoreFault) in
          // The store may call this again.
          session = changed
          other = nil
          isGone = data == nil
          if isGone { return nil }
          if let newer = Self.newer(in: data, than: before) {
            if newer.uid != session.uid
              || used != nil
                && newer.tokens.idToken.issuedAt >= session.tokens.idToken.issuedAt
            {
              other = newer
              return data
            }
            // Only the profile changes here, so tokens that another process rotated meanwhile are
            // kept. Sending an old refresh token again would end the session for all processes.
            if used == nil, newer.tokens.idToken.issuedAt >= before.tokens.idToken.issuedAt,
              session.tokens.idToken.isSameToken(as: before.tokens.idToken)
            {
              session.tokens = newer.tokens
            }
          }
          return try StoredSession(session, serverTimeOffset: offset).data()
        }
        pending = PendingStoreWrites()
        // Only now: until the session was traded, Google's item is all that shows who the user is.
        if before.tokens.firebaseAPIKey != nil, session.tokens.firebaseAPIKey == nil {
          removeFirebaseItems()
        }
      } catch {
        pending.needsWrite = true
        report(error)
      }
      if isGone {
        user.hold(session)
        forget { $0.ended(cause: nil) }
      } else if let other {
        adopt(other, for: user)
      } else {
        set(session, for: user)
      }
      return user.held
    }
    let session = updated ?? user.held
    if isCurrent(user) { keepFresh(session) }
    return session
  }

  /// Prepares a refresh of the tokens: reads what other processes have stored, and checks that the
  /// store can be written. Losing a rotated token would end the session.
  ///
  /// - Returns: The current session.
  /// - Throws: ``ClientError/store(_:)``, or ``ClientError/notSignedIn`` if another process signed
  ///   out.
  func prepareRefresh(of user: SignedInUser) throws(ClientError) -> HeldSession {
    try inOrder { (pending) throws(ClientError) -> HeldSession in
      guard isCurrent(user) else { return user.held }
      let held = user.held
      var newer: HeldSession?
      var isGone = false
      do throws(StoreFault) {
        let offset = time.offsetSeconds
        try updateStore { (data) throws(StoreFault) in
          newer = nil
          isGone = data == nil
          if isGone { return nil }
          if let found = Self.newer(in: data, than: held),
            found.uid != held.uid
              || found.tokens.idToken.issuedAt > held.tokens.idToken.issuedAt
              || !pending.needsWrite
                && found.tokens.idToken.issuedAt == held.tokens.idToken.issuedAt
          {
            newer = found
            return data
          }
          return try StoredSession(held, serverTimeOffset: offset).data()
        }
        pending = PendingStoreWrites()
      } catch {
        throw .store(error)
      }
      if isGone {
        forget { $0.ended(cause: nil) }
        throw .notSignedIn
      }
      if let newer { adopt(newer, for: user) }
      return user.held
    }
  }

  /// Changes what is stored for this client. Damaged data counts as data without a session: it is overwritten or
  /// removed, because the session in memory is good. No one else can use what is there.
  private func updateStore(
    _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) {
    do throws(StoreFault) {
      _ = try store.update(storeKey, change)
    } catch {
      guard error.kind == .damaged else { throw error }
      if let data = try change(Data()) {
        try store.write(data, for: storeKey)
      } else {
        try store.remove(storeKey)
      }
    }
  }

  /// The session that another process stored, if it differs from `held`. Nil also for damaged data,
  /// which is then overwritten.
  static func newer(in data: Data?, than held: HeldSession) -> HeldSession? {
    guard let data, let stored = try? StoredSession(data: data).held() else { return nil }
    let isSame =
      stored.uid == held.uid
      && stored.tokens.refreshToken.utf8.elementsEqual(held.tokens.refreshToken.utf8)
      && stored.tokens.idToken.isSameToken(as: held.tokens.idToken)
    return isSame ? nil : stored
  }

  /// Adopts the session that another process stored: newer tokens of the same user, or another
  /// user.
  func adopt(_ other: HeldSession, for user: SignedInUser) {
    if other.uid == user.uid {
      user.noteProfileChange()
      set(other, for: user)
    } else {
      shared.withLock { _ = $0.begin(other, as: nil, isWanted: false, in: self) }
    }
  }

  private func set(_ session: HeldSession, for user: SignedInUser) {
    shared.withLock { shared in
      user.hold(session)
      shared.tell(shared.machine.updated(session, of: user.generation))
    }
  }
}
