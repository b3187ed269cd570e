#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseClient
  import Security
  import Testing

  /// A keychain that hides its items, because the system started the app before the device was unlocked,
  /// signs no user out.
  @Suite struct LockedKeychainTests {
    private let service = UUID().uuidString
    private let marker = MemoryStore()
    private let locked = ClientError.store(StoreFault(.locked, detail: "The device is locked"))

    private func bench() throws -> Bench {
      try Bench(
        store: KeychainStore(
          service: service, application: "com.example.app", accessGroup: nil,
          reinstallation: .startSignedOut, marker: marker))
    }

    private func lock(_ lock: SimulatedKeychain.Lock) { SimulatedKeychain[service].lock = lock }

    @Test func `a launch doesn't know who is signed in, until the device is unlocked`() async throws
    {
      try await bench().signedIn()
      lock(.hiding)
      let bench = try bench()
      #expect(bench.client.state == .loading)
      #expect(bench.client.currentUser == nil)
      lock(.unlocked)
      #expect(try bench.client.load().user?.uid == "alice")
    }

    @Test func `a first launch is signed out as soon as the device is unlocked`() throws {
      lock(.hiding)
      let bench = try bench()
      #expect(bench.client.state == .loading)
      lock(.unlocked)
      #expect(try bench.client.load() == .signedOut)
    }

    @Test func `an app that signs in anonymously when it finds no user overwrites no account`()
      async throws
    {
      try await bench().signedIn()
      lock(.hiding)
      let bench = try bench()
      try #require(bench.client.currentUser == nil)
      await #expect(throws: locked) { try await bench.client.signInAnonymously() }
      #expect(bench.server.requests.isEmpty)
      lock(.unlocked)
      #expect(try bench.client.load().user?.uid == "alice")
    }

    @Test func `a refresh waits until it can be stored`() async throws {
      let bench = try bench()
      let user = try await bench.signedIn()
      lock(.hiding)
      await #expect(throws: locked) { try await user.idToken(forcingRefresh: true) }
      #expect(bench.server.requests("v1/token").isEmpty)
      #expect(bench.client.currentUser == user)
      lock(.unlocked)
      _ = try await user.idToken(forcingRefresh: true)
      #expect(bench.client.currentUser == user)
    }

    @Test func `tokens that arrive while the device is locked are stored later`() async throws {
      let bench = try bench()
      let user = try await bench.signedIn()
      bench.server.on("v1/token") { (_) throws(TransportFault) in
        lock(.hiding)
        return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
      }
      let token = try await user.idToken(forcingRefresh: true)
      #expect(bench.client.currentUser == user)
      #expect(user.heldIDToken == token)
      lock(.unlocked)
      bench.server.on("v1/token", failing: .offline)
      _ = try? await user.idToken(forcingRefresh: true)
      #expect(try self.bench().client.currentUser?.heldIDToken == token)
    }

    @Test func `a sign-out that removes nothing fails`() async throws {
      let bench = try bench()
      let user = try await bench.signedIn()
      lock(.hiding)
      #expect(throws: locked) { try bench.client.signOut() }
      #expect(bench.client.currentUser == user)
      lock(.unlocked)
      try bench.client.signOut()
      #expect(try self.bench().client.load() == .signedOut)
    }
  }
#endif
