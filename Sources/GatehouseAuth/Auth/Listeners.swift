internal import Foundation
import GatehouseClient
import GatehouseProtocol

/// The listeners, in the order of registration.
final class Listeners: Sendable {
  private let registered = Locked<[Listener]>([])

  func add(_ listener: Listener) { registered.withLock { $0.append(listener) } }

  func remove(_ handle: any NSObjectProtocol) {
    registered.withLock { $0.removeAll { $0 === handle } }
  }

  var all: [Listener] { registered.withLock { $0 } }

  func contains(_ listener: Listener) -> Bool {
    registered.withLock { $0.contains { $0 === listener } }
  }
}

/// A listener, and the values of its last call. The object is also its handle.
final class Listener: NSObject, @unchecked Sendable {  // Used on the main queue alone.
  enum Subject: Sendable {
    /// The signed-in user changes: another user, or none.
    case user
    /// The signed-in user or the ID token changes.
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

  /// Calls the listener, unless its last call had the same uid and, for `token`, the same ID token.
  /// On the main queue.
  func tell(_ auth: Auth, _ user: User?) {
    let now = Told(uid: user?.uid, token: subject == .token ? user?.heldToken : nil)
    guard now != last else { return }
    last = now
    call(auth, user)
  }
}

extension Auth {
  func add(_ listener: Listener) -> any NSObjectProtocol {
    _ = client
    listeners.add(listener)
    MainQueue.async { [weak self] in
      guard let self, isLoaded, listeners.contains(listener) else { return }
      listener.tell(self, currentUser)
    }
    return listener
  }

  /// Reports a change to all listeners. On the main queue.
  func tell(_ kinds: SessionChange.Kinds) {
    forgetFormerUser()
    guard isLoaded, !kinds.isDisjoint(with: [.session, .idToken]) else { return }
    for listener in listeners.all where listeners.contains(listener) {
      listener.tell(self, currentUser)
    }
    post()
  }

  /// Posts the notification if the ID token differs from that of the last notification. At a launch
  /// without a signed-in user, nothing is posted.
  private func post() {
    let token = currentUser?.heldToken
    let isNew = state.withLock { state in
      defer { state.postedToken = token }
      return state.postedToken != token
    }
    guard isNew else { return }
    NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: self)
  }

  /// The number of registered listeners. Tests use it to detect leaks.
  package var listenerCount: Int { listeners.all.count }

  private var isLoaded: Bool {
    if case .loading = client.state { false } else { true }
  }
}
