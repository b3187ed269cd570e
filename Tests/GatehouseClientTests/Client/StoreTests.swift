import Foundation
import GatehouseClient
import Testing

/// How a store that fails, or contains other data, affects a session.
@Suite struct StoreTests {
  @Test func `a launch with a session makes no request, offline too`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let sent = bench.server.requests.count
    let later = try bench.otherProcess()
    #expect(later.state == .signedIn(user.snapshot))
    _ = try await later.currentUser?.idToken()
    #expect(bench.server.requests.count == sent)
  }

  @Test func `a locked store is loading until it can be read`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    let snapshot = try await bench.signedIn().snapshot
    store.fail(reading: FaultyStore.locked)
    let later = try bench.otherProcess()
    let witness = Witness()
    let observation = witness.watch(later)
    #expect(later.state == .loading)
    #expect(later.currentUser == nil)
    #expect(later.storeFault == FaultyStore.locked)
    #expect(throws: ClientError.store(FaultyStore.locked)) { try later.load() }
    store.fail()
    #expect(try later.load() == .signedIn(snapshot))
    #expect(later.storeFault == nil)
    #expect(witness.changes.map(\.state) == [.loading, .signedIn(snapshot)])
    observation.cancel()
  }

  @Test(arguments: [StoreFault.Kind.locked, .busy])
  func `no user is signed in while the store can't be used`(kind: StoreFault.Kind) async throws {
    let fault = StoreFault(kind, detail: "scripted")
    let store = FaultyStore()
    store.fail(reading: fault)
    let bench = try Bench(store: store)
    await #expect(throws: ClientError.store(fault)) { try await bench.signedIn() }
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a sign-in replaces a session that other users may read`() async throws {
    let folder = StoreFolderForTest.next()
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = try Bench(store: FileStore(directory: folder))
    try await bench.signedIn()
    let file = try #require(
      try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      ).first { $0.pathExtension == "session" })
    let path = file.path(percentEncoded: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let later = try bench.otherProcess()
    #expect(later.state == .loading)
    #expect(later.storeFault?.kind == .unreadable)
    try await later.signIn(with: .apple(idToken: "t", nonce: Nonce()))
    #expect(later.state.user?.uid == "alice")
    #expect(later.storeFault == nil)
    #expect(try bench.otherProcess().load().user?.uid == "alice")
  }

  @Test func `an anonymous sign-in replaces no session that can't be read`() async throws {
    let fault = StoreFault(.unreadable, detail: "scripted")
    let store = FaultyStore()
    store.fail(reading: fault)
    let bench = try Bench(store: store)
    await #expect(throws: ClientError.store(fault)) {
      try await bench.client.signInAnonymously()
    }
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a session that can't be stored isn't begun`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    #expect(try bench.client.load() == .signedOut)
    store.fail(writing: FaultyStore.unwritable)
    await #expect(throws: ClientError.store(FaultyStore.unwritable)) { try await bench.signedIn() }
    #expect(bench.client.state == .signedOut)
  }

  @Test func `tokens aren't rotated if the new ones couldn't be stored`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    let user = try await bench.signedIn()
    store.fail(writing: FaultyStore.unwritable)
    await #expect(throws: ClientError.store(FaultyStore.unwritable)) {
      try await user.idToken(forcingRefresh: true)
    }
    #expect(bench.server.requests("v1/token").isEmpty)
    #expect(bench.client.currentUser == user)
  }

  @Test func `tokens that couldn't be stored are stored with the next refresh`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    let user = try await bench.signedIn()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      store.fail(writing: FaultyStore.unwritable)
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let witness = Witness()
    let observation = witness.watch(bench.client)
    defer { observation.cancel() }
    let token = try await user.idToken(forcingRefresh: true)
    #expect(witness.changes.map(\.cause) == [nil, .store(FaultyStore.unwritable), nil])
    #expect(witness.kinds == [[.session, .idToken, .profile], [], .idToken])
    #expect(try bench.otherProcess().currentUser?.heldIDToken != token)
    store.fail()
    bench.server.on("v1/token", failing: .offline)
    await #expect(throws: ClientError.network(NetworkFault(.offline, detail: "scripted"))) {
      try await user.idToken(forcingRefresh: true)
    }
    #expect(user.heldIDToken == token)
    #expect(try bench.otherProcess().currentUser?.heldIDToken == token)
  }

  @Test func `a user whose session can't be removed isn't signed out`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    let user = try await bench.signedIn()
    store.fail(writing: FaultyStore.unwritable)
    #expect(throws: ClientError.store(FaultyStore.unwritable)) { try bench.client.signOut() }
    #expect(bench.client.currentUser == user)
  }

  @Test func `a session that has ended on the server ends even if it can't be removed`()
    async throws
  {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    let user = try await bench.signedIn()
    bench.server.on("accounts:lookup") { (_) throws(TransportFault) in
      store.fail(writing: FaultyStore.unwritable)
      return ScriptedTransport.refusal("USER_DISABLED")
    }
    await #expect(throws: ClientError.sessionEnded(.disabled)) { try await user.reload() }
    #expect(bench.client.state == .signedOut)
    store.fail()
    try bench.client.signOut()
    #expect(try bench.otherProcess().load() == .signedOut)
  }

  /// A user who signed in, and whose file was then truncated.
  private func withDamagedFile(
    _ body: (Bench, SignedInUser) async throws -> Void
  ) async throws {
    let folder = StoreFolderForTest.next()
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = try Bench(store: FileStore(directory: folder))
    let user = try await bench.signedIn()
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let file = try #require(files.first { $0.pathExtension == "session" })
    try FileHandle(forWritingTo: file).truncate(atOffset: 40)
    let other = try bench.otherProcess()
    #expect(other.state == .signedOut)
    #expect(other.storeFault?.kind == .damaged)
    try await body(bench, user)
  }

  @Test func `a damaged file is replaced by the session in memory`() async throws {
    try await withDamagedFile { bench, user in
      let token = try await user.idToken(forcingRefresh: true)
      #expect(try bench.otherProcess().load().user?.uid == "alice")
      #expect(try bench.otherProcess().currentUser?.heldIDToken == token)
    }
  }

  @Test func `a damaged file is removed when the session ends on the server`() async throws {
    try await withDamagedFile { bench, user in
      bench.server.on("v1/token") { (_) throws(TransportFault) in
        ScriptedTransport.refusal("TOKEN_EXPIRED")
      }
      await #expect(throws: ClientError.self) { try await user.idToken(forcingRefresh: true) }
      #expect(bench.client.state == .signedOut)
      let later = try bench.otherProcess()
      #expect(try later.load() == .signedOut)
      #expect(later.storeFault == nil)
    }
  }

  @Test(arguments: ["", "{}", "not JSON", #"{"version":2,"idToken":""}"#])
  func `invalid session data is reported, kept, and replaced by the next session`(text: String)
    async throws
  {
    let bench = try Bench()
    let key = try await storeKey(bench)
    try bench.store.write(Data(text.utf8), for: key)
    let later = try bench.otherProcess()
    let witness = Witness()
    let observation = witness.watch(later)
    #expect(later.state == .signedOut)
    #expect(later.storeFault?.kind == .damaged)
    #expect(witness.changes.first?.cause == later.storeFault.map(ClientError.store))
    #expect(try bench.store.read(key) == Data(text.utf8))
    try await later.signIn(with: .apple(idToken: "t", nonce: Nonce()))
    #expect(later.storeFault == nil)
    #expect(try bench.otherProcess().load().user?.uid == "alice")
    observation.cancel()
  }

  @Test func `signing out removes invalid session data`() async throws {
    let bench = try Bench()
    let key = try await storeKey(bench)
    try bench.store.write(Data("damaged".utf8), for: key)
    let later = try bench.otherProcess()
    try later.signOut()
    #expect(try bench.store.read(key) == nil)
  }

  @Test func `clients of other projects, keys, names and emulators have sessions of their own`()
    async throws
  {
    let bench = try Bench()
    try await bench.signedIn()
    var project = try Bench.configuration()
    project.projectID = "other"
    var name = try Bench.configuration()
    name.appName = "second"
    let key = try ClientConfiguration(
      serverURL: project.serverURL, apiKey: "key/2", projectID: "demo")
    for configuration in [project, name, key] {
      let client = AuthClient(
        configuration: configuration, store: bench.store, transport: bench.server,
        clock: bench.clock)
      #expect(try client.load() == .signedOut)
    }
    let emulated = try bench.otherProcess()
    try emulated.connect(toEmulatorHost: "::1", port: 9099)
    #expect(emulated.configuration.serverURL.absoluteString == "http://[::1]:9099")
    #expect(try emulated.load() == .signedOut)
  }

  @Test func `the emulator has to be chosen first`() async throws {
    let bench = try Bench()
    _ = bench.client.state
    #expect(
      throws: ClientError.invalidArgument(
        detail: "Connect to the emulator before the client is used.")
    ) { try bench.client.connect(toEmulatorHost: "localhost", port: 9099) }
  }

  @Test func `an archived user can be restored and adopted`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let archive = try user.archived()
    try bench.client.signOut()
    let restored = try bench.client.user(archived: archive)
    #expect(restored.snapshot == user.snapshot)
    #expect(bench.client.currentUser == nil)
    try await bench.client.adopt(restored)
    #expect(bench.client.currentUser == restored)
  }

  /// The key of the session of a bench's client.
  private func storeKey(_ bench: Bench) async throws -> String {
    let spy = KeySpy()
    let client = AuthClient(
      configuration: try Bench.configuration(), store: spy, transport: bench.server)
    _ = client.state
    return try #require(spy.key)
  }
}
