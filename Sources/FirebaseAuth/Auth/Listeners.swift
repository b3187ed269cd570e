public import Foundation
import GatehouseClient
import Synchronization

/// Who wants to know of another user or token, in the order of registration.
final class Listeners: Sendable {
  private let registered = Mutex<[Listener]>([])

  func add(_ listener: Listener) { registered.withLock { $0.append(listener) } }

  func remove(_ handle: any NSObjectProtocol) {
    registered.withLock { $0.removeAll { $0 === handle } }
  }

  var all: [Listener] { registered.withLock { $0 } }

  func contains(_ listener: Listener) -> Bool {
    registered.withLock { $0.contains { $0 === listener } }
  }
}

/// A listener, and what it was told last. It is its own handle.
final class Listener: NSObject, @unchecked Sendable {  // Used on the main queue alone.
  enum Subject: Sendable {
    /// Somebody else is signed in, or nobody.
    case user
    /// The same, and another ID token.
    case token
  }

  private struct Told: Equatable {
    var uid: String?
    var token: String?
  }

  private let subject: Subject
  private let call: (Auth, User?) -> Void
  private var last: Told?

  init(_ subject: Subject, _ call: @escaping (Auth, User?) -> Void) {
    self.subject = subject
    self.call = call
  }

  /// Calls the listener, if it wasn't told the same before. On the main queue.
  func tell(_ auth: Auth, _ user: User?) {
    let now = Told(uid: user?.uid, token: subject == .token ? user?.heldToken : nil)
    guard now != last else { return }
    last = now
    call(auth, user)
  }
}

extension Auth {
  /// Calls `listener` when somebody signs in or out: first with who is signed in now, soon after
  /// this returned and the store was read; then when the uid is another.
  ///
  /// On the main actor, in the order of registration, with the user of that moment. It may use this
  /// `Auth`, add and remove listeners. A refreshed token, a link or a changed profile is no change
  /// of user: see ``addIDTokenDidChangeListener(_:)``.
  ///
  /// - Returns: What ``removeStateDidChangeListener(_:)`` takes. The listener stays until then.
  public func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void)
    -> any NSObjectProtocol
  { add(Listener(.user, listener)) }

  /// No call follows, not even one that was on its way. On the main actor; elsewhere a call may
  /// just be running.
  public func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
    listeners.remove(listenerHandle)
  }

  /// Calls `listener` whenever there is another ID token: what ``addStateDidChangeListener(_:)``
  /// tells, and refreshed tokens, links and re-authentications.
  public func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void)
    -> any NSObjectProtocol
  { add(Listener(.token, listener)) }

  /// As ``removeStateDidChangeListener(_:)``.
  public func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
    listeners.remove(listenerHandle)
  }

  private func add(_ listener: Listener) -> any NSObjectProtocol {
    _ = client
    listeners.add(listener)
    MainQueue.async { [weak self] in
      guard let self, isLoaded, listeners.contains(listener) else { return }
      listener.tell(self, currentUser)
    }
    return listener
  }

  /// Tells everybody of a change. On the main queue.
  func tell(_ kinds: SessionChange.Kinds) {
    forgetFormerUser()
    guard isLoaded, !kinds.isDisjoint(with: [.session, .idToken]) else { return }
    for listener in listeners.all where listeners.contains(listener) {
      listener.tell(self, currentUser)
    }
    post()
  }

  /// Posts the notification, if there is another token than the last time. At a launch with nobody
  /// signed in there isn't.
  private func post() {
    let token = currentUser?.heldToken
    let isNew = state.withLock { state in
      defer { state.postedToken = token }
      return state.postedToken != token
    }
    guard isNew else { return }
    NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: self)
  }

  /// How many are registered: a leak would show here.
  package var listenerCount: Int { listeners.all.count }

  private var isLoaded: Bool {
    if case .loading = client.state { false } else { true }
  }
}
