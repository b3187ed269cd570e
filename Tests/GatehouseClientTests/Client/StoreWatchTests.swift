import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// When a client reads its store again, and what it then does.
@Suite struct StoreWatchTests {
  private let notifications = NotificationCenter()

  private func bench(store: any SessionStore = MemoryStore()) throws -> Bench {
    try Bench(store: store, notifications: notifications)
  }

  private func enterForeground(_ name: String = "UIApplicationWillEnterForegroundNotification") {
    notifications.post(name: NSNotification.Name(name), object: nil)
  }

  @Test(arguments: [
    "UIApplicationProtectedDataDidBecomeAvailable", "UIApplicationWillEnterForegroundNotification",
    "NSExtensionHostWillEnterForegroundNotification",
  ])
  func `a store that was locked is read when the system says so`(name: String) async throws {
    let store = FaultyStore()
    try await Bench(store: store).signedIn()
    store.fail(reading: FaultyStore.locked)
    let bench = try bench(store: store)
    #expect(bench.client.state == .loading)
    store.fail()
    enterForeground(name)
    #expect(try await eventually { bench.client.state.user?.uid == "alice" })
  }

  @Test func `an app that enters the foreground adopts another process's sign-in and sign-out`()
    async throws
  {
    let bench = try bench()
    let other = try bench.otherProcess()
    #expect(try bench.client.load() == .signedOut)
    try await other.signIn(with: .apple(idToken: "apple-token", nonce: Nonce()))
    enterForeground()
    #expect(try await eventually { bench.client.currentUser?.uid == "alice" })
    try other.signOut()
    enterForeground()
    #expect(try await eventually { bench.client.state == .signedOut })
  }

  @Test func `a store that was never used isn't read`() throws {
    let bench = try bench()
    enterForeground()
    try bench.client.connect(toEmulatorHost: "localhost", port: 9099)
  }

  @Test func `an app can ask for what other processes stored`() async throws {
    let bench = try bench()
    let other = try bench.otherProcess()
    let user = try await bench.signedIn()
    let same = try #require(other.currentUser)
    let token = try await same.idToken(forcingRefresh: true)
    _ = try bench.client.load()
    #expect(user.heldIDToken == token)
    #expect(bench.client.currentUser == user)
    try other.signOut()
    #expect(try bench.client.load() == .signedOut)
  }

  @Test func `a user stays signed in while the store can't be read`() async throws {
    let store = FaultyStore()
    let bench = try bench(store: store)
    let user = try await bench.signedIn()
    store.fail(reading: FaultyStore.locked)
    #expect(throws: ClientError.store(FaultyStore.locked)) { try bench.client.load() }
    #expect(bench.client.currentUser == user)
  }

  @Test func `tokens that couldn't be stored are stored when the store is read again`()
    async throws
  {
    let store = FaultyStore()
    let bench = try bench(store: store)
    let user = try await bench.signedIn()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      store.fail(writing: FaultyStore.unwritable)
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let token = try await user.idToken(forcingRefresh: true)
    #expect(try bench.otherProcess().currentUser?.heldIDToken != token)
    store.fail()
    _ = try bench.client.load()
    #expect(user.heldIDToken == token)
    #expect(try bench.otherProcess().currentUser?.heldIDToken == token)
  }

  @Test func `a session that has ended isn't taken from the store again`() async throws {
    let store = FaultyStore()
    let bench = try bench(store: store)
    let user = try await bench.signedIn()
    bench.server.on("accounts:lookup") { (_) throws(TransportFault) in
      store.fail(writing: FaultyStore.unwritable)
      return ScriptedTransport.refusal("USER_DISABLED")
    }
    await #expect(throws: ClientError.sessionEnded(.disabled)) { try await user.reload() }
    #expect(try bench.client.load() == .signedOut)
  }

  @Test func `an anonymous sign-in doesn't replace a user who signed in in another process`()
    async throws
  {
    let bench = try bench()
    #expect(try bench.client.load() == .signedOut)
    try await bench.otherProcess().signIn(with: .apple(idToken: "apple-token", nonce: Nonce()))
    await #expect(throws: ClientError.cancelled) { try await bench.client.signInAnonymously() }
    #expect(bench.client.currentUser?.uid == "alice")
    #expect(bench.server.requests("accounts:signUp").isEmpty)
  }
}
