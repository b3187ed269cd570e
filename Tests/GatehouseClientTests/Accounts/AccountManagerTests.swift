import Foundation
import GatehouseClient
import Observation
import GatehouseProtocol
import Testing

@Suite struct AccountManagerTests {
  @Test func `the state follows the session`() async throws {
    let scene = try AccountScene([.apple])
    #expect(scene.manager.authState == .signedOut)
    let user = try await scene.signIn()
    #expect(scene.manager.authState == .signedIn(user.snapshot))
    try scene.client.signOut()
    #expect(scene.manager.authState == .signedOut)
    let anonymous = try await scene.client.signInAnonymously().user
    #expect(scene.manager.authState == .anonymous(anonymous.snapshot))
  }

  @Test func `a store that can't be read is loading, and no user is signed out`() throws {
    let scene = try AccountScene()
    let client = AuthClient(
      configuration: scene.client.configuration, store: LockedStore(), transport: scene.server,
      clock: scene.clock)
    #expect(AccountManager(client: client).authState == .loading)
  }

  @Test func `an observer of the state is told of a change`() async throws {
    let scene = try AccountScene([.apple])
    let change = Self.change { scene.manager.authState == .signedOut }
    try await scene.signIn()
    #expect(change.isSet)
  }

  @Test func `an observer is told when a flow begins, and when it has ended`() async throws {
    let scene = try AccountScene([.apple])
    let manager = scene.manager
    #expect(!manager.isBusy)
    let begins = Self.change { manager.isBusy }
    let during = Locked<(isBusy: Bool, ends: TestFlag)?>(nil)
    scene.apple.set { state in
      state.meanwhile = {
        let isBusy = manager.isBusy
        during.withLock { $0 = (isBusy, Self.change { manager.isBusy }) }
      }
    }
    try await scene.signIn()
    let (wasBusy, ends) = try #require(during.withLock { $0 })
    #expect(begins.isSet && wasBusy)
    #expect(ends.isSet && !manager.isBusy)
  }

  @Test func `a refused second flow doesn't end the first`() async throws {
    let scene = try AccountScene([.apple])
    let manager = scene.manager
    let isBusyAfterwards = Locked<Bool?>(nil)
    scene.apple.set { state in
      state.meanwhile = {
        await #expect(throws: AccountError.busy) { _ = try await manager.disconnect(.apple) }
        isBusyAfterwards.withLock { $0 = manager.isBusy }
      }
    }
    try await scene.signIn()
    #expect(isBusyAfterwards.withLock { $0 } == true)
  }

  private final class TestFlag: Sendable {
    private let value = Locked(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  /// A flag that is set when what `read` reads changes.
  private static func change(_ read: () -> Bool) -> TestFlag {
    let flag = TestFlag()
    withObservationTracking {
      _ = read()
    } onChange: {
      flag.set()
    }
    return flag
  }

  @Test func `a released manager is deallocated`() async throws {
    let scene = try AccountScene()
    weak var gone: AccountManager?
    do {
      let manager = AccountManager(client: scene.client)
      gone = manager
    }
    #expect(gone == nil)
  }

  @Test func `a manager listens for what happens to the account, until it is released`()
    async throws
  {
    let (client, server) = try listening(true)
    var manager: AccountManager? = AccountManager(client: client)
    #expect(manager?.authState == .signedOut)
    #expect(server.requests.isEmpty)
    _ = try await client.signIn(with: .apple(idToken: "apple-token", nonce: Nonce()))
    #expect(try await eventually { server.requests.count > server.leftCount })
    manager = nil
    #expect(try await eventually { server.requests.count == server.leftCount })
  }

  @Test func `a manager of an app that turned it off opens no stream`() async throws {
    let (client, server) = try listening(false)
    let manager = AccountManager(client: client)
    let user = try await client.signIn(with: .apple(idToken: "apple-token", nonce: Nonce())).user
    try await user.reload()
    #expect(manager.authState == .signedIn(user.snapshot))
    #expect(server.requests.isEmpty)
  }

  private func listening(_ listens: Bool) throws -> (AuthClient, StreamingServer) {
    let clock = ManualClock()
    let scripted = ScriptedTransport()
    scripted.answerHappily(clock: clock)
    let server = StreamingServer(scripted)
    var configuration = try Bench.configuration()
    configuration.listensForChanges = listens
    let client = AuthClient(
      configuration: configuration, store: MemoryStore(), transport: server, clock: clock)
    return (client, server)
  }

  private struct LockedStore: SessionStore {
    private var fault: StoreFault { StoreFault(.locked, detail: "scripted") }
    func read(_ key: String) throws(StoreFault) -> Data? { throw fault }
    func write(_ data: Data, for key: String) throws(StoreFault) { throw fault }
    func remove(_ key: String) throws(StoreFault) { throw fault }
    func update(
      _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
    ) throws(StoreFault) -> Data? { throw fault }
  }
}
