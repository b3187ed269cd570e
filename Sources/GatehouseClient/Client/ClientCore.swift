import Dispatch
import Foundation
import GatehouseProtocol

/// What a client and its users share: the state, the store, and the connection to the server.
///
/// There are two locks, always taken in this order. `storeLock` is held while the store is read or
/// written and until the state agrees with it, so that both change in the same order. `shared` is
/// held only briefly, so that reading a loaded state never waits for a file. Observers are called
/// with neither lock held.
final class ClientCore: Sendable {
  struct Shared {
    var machine = SessionMachine()
    /// The signed-in user. Nil after the client is released: then users keep the core alive, so the
    /// core must not keep a user.
    var user: SignedInUser?
    var observers: [UInt64: ObserverMailbox] = [:]
    var lastObserver: UInt64 = 0
    var configuration: ClientConfiguration
    var languageCode: String?
    var storeFault: StoreFault?
    var isClosed = false
    var isUsed = false
    /// The ID token for which a refresh is scheduled.
    var freshening: IDToken?
    /// The number of observations for which the client listens.
    var listenerCount = 0
    var listenerObservation: SessionObservation?
  }

  /// Changes that could not be written to the store yet.
  struct PendingStoreWrites {
    var needsRemoval = false
    var needsWrite = false
  }

  let store: any SessionStore
  let transport: any Transport
  let clock: any ClientClock
  let time: ServerTime
  let background = BackgroundWork()
  let spentCredentials: SpentCredentials
  /// What Google's SDK left on the device; nil if the app never had it.
  let firebaseItems: (any FirebaseItems)?
  let shared: Locked<Shared>
  let storeLock = Locked(PendingStoreWrites())
  /// For work with the store in the background: it blocks its thread.
  let storeQueue = DispatchQueue(label: "gatehouse.store")

  init(
    configuration: ClientConfiguration, store: any SessionStore, transport: any Transport,
    clock: any ClientClock, firebaseItems: (any FirebaseItems)?
  ) {
    self.firebaseItems = firebaseItems
    self.store = store
    self.transport = transport
    self.clock = clock
    time = ServerTime(clock: clock)
    spentCredentials = SpentCredentials(clock: clock)
    shared = Locked(Shared(configuration: configuration))
  }

  /// Runs `body` while nothing else changes the session, then notifies observers.
  func inOrder<Result: Sendable>(
    _ body: (inout PendingStoreWrites) throws(ClientError) -> Result
  ) throws(ClientError) -> Result {
    defer { deliver() }
    return try storeLock.withLock { (pending) throws(ClientError) in try body(&pending) }
  }

  /// Ends the client's own work. ``SignedInUser`` objects that the app still holds continue to work
  /// and to update the store.
  func close() {
    background.close()
    shared.withLock { shared in
      shared.isClosed = true
      shared.user = nil
    }
  }

  // MARK: Reading

  var configuration: ClientConfiguration { shared.withLock(\.configuration) }

  var api: ServerAPI {
    let (configuration, languageCode) = shared.withLock { shared in
      shared.isUsed = true
      return (shared.configuration, shared.languageCode)
    }
    return ServerAPI(
      configuration: configuration, languageCode: languageCode, transport: transport, clock: clock,
      time: time)
  }

  var state: SessionState {
    loadOnce()
    return shared.withLock { $0.machine.state }
  }

  var currentUser: SignedInUser? {
    loadOnce()
    return shared.withLock(\.user)
  }

  /// A sign-in compares this value at its start and at its end: a change means that a user signed
  /// in or out meanwhile.
  var sessionRequests: UInt64 { shared.withLock { $0.machine.sessionRequests } }

  // MARK: Observers

  func observe(_ observer: @escaping @Sendable (SessionChange) -> Void) -> SessionObservation {
    loadOnce()
    let mailbox = ObserverMailbox(observer)
    let number = shared.withLock { shared in
      mailbox.reserve()
      mailbox.put(
        SessionChange(
          state: shared.machine.state, user: shared.user, kinds: [.session, .idToken, .profile],
          cause: shared.storeFault.map(ClientError.store)))
      shared.lastObserver += 1
      shared.observers[shared.lastObserver] = mailbox
      return shared.lastObserver
    }
    mailbox.deliver(asFirst: true)
    return SessionObservation { [weak self] in
      mailbox.cancel()
      self?.shared.withLock { _ = $0.observers.removeValue(forKey: number) }
    }
  }

  private func deliver() {
    for mailbox in shared.withLock({ Array($0.observers.values) }) { mailbox.deliver() }
  }
}

extension ClientCore.Shared {
  /// Puts a change into the mailboxes of all observers.
  func tell(_ event: SessionMachine.Event?) {
    guard let event else { return }
    let change = SessionChange(
      state: event.state, user: user, kinds: event.kinds, cause: event.cause)
    for mailbox in observers.values { mailbox.put(change) }
  }

  /// Makes `session` the current one, under the next generation.
  ///
  /// - Parameter known: The user object that gets the session; nil to create one.
  mutating func begin(
    _ session: HeldSession, as known: SignedInUser?, isWanted: Bool, in core: ClientCore
  ) -> SignedInUser {
    let event = isWanted ? machine.signedIn(session) : machine.replaced(by: session)
    let user = known ?? SignedInUser(session, core: core)
    user.hold(session, generation: machine.generation)
    self.user = isClosed ? nil : user
    storeFault = nil
    tell(event)
    return user
  }
}
