import GatehouseAuth
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ListenersTests {
  @Test
  func
    `a state listener first gets the present user, on the main actor and after the registration`()
    async throws
  {
    let test = try TestApp()
    let user = try await test.signedIn()
    let heard = Heard<String>()
    await MainActor.run {
      _ = test.auth.addStateDidChangeListener { auth, user in
        MainActor.preconditionIsolated()
        #expect(auth === test.auth)
        heard(user?.uid ?? "nobody")
      }
      #expect(heard.all == [])
    }
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [user.uid])
  }

  /// An event, and what a state listener and a token listener are called with.
  enum Event: String, CaseIterable {
    case signIn, signInAsAnother, signInAgain, signOut, refresh, reload, profile, link,
      reauthenticate
    case delete, forcedSignOut, lostNetwork

    var toState: [String] {
      switch self {
      case .signInAsAnother: ["bob@example.com"]
      case .signOut, .delete, .forcedSignOut: ["nobody"]
      default: []
      }
    }

    var toToken: [String] {
      switch self {
      case .signInAgain, .refresh, .link, .reauthenticate: ["ann@example.com"]
      default: toState
      }
    }

    func happen(to test: TestApp, _ user: User) async throws {
      let password = EmailAuthProvider.credential(withEmail: user.uid, password: "secret-1")
      switch self {
      case .signIn: return
      case .signInAsAnother:
        try await test.auth.signIn(withEmail: "bob@example.com", password: "secret-1")
      case .signInAgain: try await test.auth.signIn(with: password)
      case .signOut: try test.auth.signOut()
      case .refresh: _ = try await user.getIDToken(forcingRefresh: true)
      case .reload: try await user.reload()
      case .profile:
        let request = user.createProfileChangeRequest()
        request.displayName = "Ann"
        try await request.commitChanges()
      case .link:
        try await user.link(
          with: GoogleAuthProvider.credential(withIDToken: "google-1", accessToken: "a"))
      case .reauthenticate: try await user.reauthenticate(with: password)
      case .delete: try await user.delete()
      case .forcedSignOut:
        test.server.refuse("accounts:lookup", "USER_DISABLED")
        #expect(await authError { try await user.reload() }?.authCode == .userDisabled)
      case .lostNetwork:
        test.server.lose("token")
        let error = await authError { _ = try await user.getIDToken(forcingRefresh: true) }
        #expect(error?.authCode == .networkError)
      }
    }
  }

  @Test(arguments: Event.allCases)
  func `listeners are called for another uid or token, and for nothing else`(event: Event)
    async throws
  {
    let test = try TestApp()
    let user = try await test.signedIn()
    let states = Heard<String>()
    let tokens = Heard<String>()
    let handles = [
      test.auth.addStateDidChangeListener { _, user in states(user?.uid ?? "nobody") },
      test.auth.addIDTokenDidChangeListener { _, user in tokens(user?.uid ?? "nobody") },
    ]
    await TestApp.mainQueueIsEmpty()
    try await event.happen(to: test, user)
    await TestApp.mainQueueIsEmpty()
    #expect(states.all == [user.uid] + event.toState)
    #expect(tokens.all == [user.uid] + event.toToken)
    #expect(handles.count == 2)
  }

  @Test func `no user is reported once, and signing out again reports nothing`() async throws {
    let test = try TestApp()
    let heard = Heard<String>()
    _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
    await TestApp.mainQueueIsEmpty()
    try test.auth.signOut()
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == ["nobody"])
  }

  @Test func `a removed listener is not called, not even for a queued change`() async throws {
    let test = try TestApp()
    let heard = Heard<String>()
    await MainActor.run {
      let handle = test.auth.addStateDidChangeListener { _, _ in heard("called") }
      test.auth.removeStateDidChangeListener(handle)
    }
    let tokens = test.auth.addIDTokenDidChangeListener { _, _ in heard("token") }
    await TestApp.mainQueueIsEmpty()
    test.auth.removeIDTokenDidChangeListener(tokens)
    _ = try await test.signedIn()
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == ["token"])
  }

  @Test
  func `listeners are called in the order of registration, and before the completion handler`()
    async throws
  {
    let test = try TestApp()
    let heard = Heard<String>()
    let handles = [
      test.auth.addStateDidChangeListener { _, user in heard("1 \(user != nil)") },
      test.auth.addIDTokenDidChangeListener { _, user in heard("2 \(user != nil)") },
    ]
    await TestApp.mainQueueIsEmpty()
    await withCheckedContinuation { continuation in
      test.auth.signIn(withEmail: "ann@example.com", password: "secret-1") { _, _ in
        heard("done")
        continuation.resume()
      }
    }
    #expect(heard.all == ["1 false", "2 false", "1 true", "2 true", "done"])
    #expect(handles.count == 2)
  }

  @Test func `a listener can sign out, and add and remove listeners`() async throws {
    let test = try TestApp()
    let heard = Heard<String>()
    await MainActor.run {
      _ = test.auth.addStateDidChangeListener { auth, user in
        heard(user?.uid ?? "nobody")
        guard user != nil else { return }
        let inner = auth.addStateDidChangeListener { _, _ in heard("never") }
        auth.removeStateDidChangeListener(inner)
        do { try auth.signOut() } catch { heard("\(error)") }
        #expect(auth.currentUser == nil)
      }
    }
    await TestApp.mainQueueIsEmpty()
    let user = try await test.signedIn()
    await TestApp.mainQueueIsEmpty()
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == ["nobody", user.uid, "nobody"])
  }

  @Test
  func `listeners are not called while the store is locked, and get the user once it is unlocked`()
    async throws
  {
    let memory = MemoryStore()
    let name = "locked-\(UInt64.random(in: 0...UInt64.max))"
    let before = try TestApp(store: memory, name: name)
    let uid = try await before.signedIn().uid
    await before.app.delete()

    let store = LockedStore(memory)
    let test = try TestApp(store: store, name: name)
    let heard = Heard<String>()
    _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
    #expect(test.auth.currentUser == nil)
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [])

    store.unlock()
    #expect(test.auth.currentUser?.uid == uid)
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [uid])
  }

  @Test func `the system's unlock notification reads the store again`() async throws {
    let store = LockedStore(MemoryStore())
    let notifications = NotificationCenter()
    let test = try TestApp(store: store, notifications: notifications)
    let heard = Heard<String>()
    _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
    await TestApp.mainQueueIsEmpty()
    store.unlock()
    notifications.post(
      name: NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
    #expect(await eventually { heard.all == ["nobody"] })
  }

  @Test func `the notification is posted for every new token, with the Auth as its object`()
    async throws
  {
    let test = try TestApp()
    let heard = Heard<String>()
    let observer = NotificationCenter.default.addObserver(
      forName: .AuthStateDidChange, object: test.auth, queue: nil
    ) { notification in
      heard((notification.object as? Auth)?.currentUser?.uid ?? "nobody")
    }
    let user = try await test.signedIn()
    await TestApp.mainQueueIsEmpty()
    _ = try await user.getIDToken(forcingRefresh: true)
    await TestApp.mainQueueIsEmpty()
    try test.auth.signOut()
    await TestApp.mainQueueIsEmpty()
    NotificationCenter.default.removeObserver(observer)
    #expect(heard.all == [user.uid, user.uid, "nobody"])
    #expect(Auth.authStateDidChangeNotification.rawValue == "FIRAuthStateDidChangeNotification")
  }
}

/// A keychain before the first unlock.
final class LockedStore: SessionStore {
  private let store: any SessionStore
  private let isLocked = Locked(true)

  init(_ store: any SessionStore) { self.store = store }

  func unlock() { isLocked.withLock { $0 = false } }

  private func check() throws(StoreFault) {
    if isLocked.withLock({ $0 }) { throw StoreFault(.locked, detail: "locked") }
  }

  func read(_ key: String) throws(StoreFault) -> Data? {
    try check()
    return try store.read(key)
  }
  func write(_ data: Data, for key: String) throws(StoreFault) {
    try check()
    try store.write(data, for: key)
  }
  func remove(_ key: String) throws(StoreFault) {
    try check()
    try store.remove(key)
  }
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    try check()
    return try store.update(key, change)
  }
}
