import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite(.timeLimit(.minutes(5))) struct CredentialStateSequenceTests {
  private static let withdrawnAt = Date(timeIntervalSince1970: 1_799_999_000)
  private typealias Linked = ProviderStanding

  private func alice(_ providers: Linked...) -> CredentialStates {
    CredentialStates(uid: "alice", providers: providers)
  }

  /// What a loop in a task of its own has got.
  private final class Seen: Sendable {
    private let list = Locked<[CredentialStates]>([])
    var all: [CredentialStates] { list.withLock { $0 } }
    func note(_ states: CredentialStates) { list.withLock { $0.append(states) } }
  }

  // MARK: The device

  @Test func `begins with what the device says, without a request`() async throws {
    let scene = try AccountScene([.apple, .google, .password])
    try await scene.signIn(by: .google)
    scene.apple.set { $0.standing = .success(.notFound) }
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(
      await states.next()
        == alice(
          Linked(.apple, onDevice: .notFound), Linked(.google, onDevice: .authorized),
          Linked(.password, onDevice: nil)))
    #expect(scene.journal.withLookups == ["state apple", "state google"])
  }

  @Test func `after Apple's notification the device is asked again`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(await states.next() == alice(Linked(.apple, onDevice: .authorized)))
    scene.apple.set { $0.standing = .success(.revoked) }
    scene.apple.notifyOfRevocation()
    #expect(await states.next() == alice(Linked(.apple, onDevice: .revoked)))
    #expect(scene.manager.authState.user?.uid == "alice", "the sequence only informs")
    #expect(scene.journal.withLookups == ["state apple", "state apple"])
  }

  @Test(arguments: [
    DeviceFault.offline(detail: "x"), .unavailable(detail: "x"), .failed(detail: "x"),
  ])
  func `a device that can't answer knows nothing`(_ fault: DeviceFault) async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.apple.set { $0.standing = .failure(fault) }
    var states = scene.manager.credentialStates.makeAsyncIterator()
    let first = await states.next()
    #expect(first == alice(Linked(.apple, onDevice: nil)))
    #expect(first?[.apple]?.state == nil)
  }

  @Test func `Google is asked again with each new ID token`() async throws {
    let scene = try AccountScene([.google])
    let user = try await scene.signIn(by: .google)
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(await states.next()?[.google]?.state == .authorized)
    scene.google.set { $0.standing = .success(.revoked) }
    _ = try await user.idToken(forcingRefresh: true)
    #expect(await states.next()?[.google]?.state == .revoked)
  }

  // MARK: The server

  @Test
  func `a withdrawal that the provider reported comes with the next ID token, without a device`()
    async throws
  {
    let scene = try AccountScene([.apple])
    let user = try await scene.signIn()
    let manager = AccountManager(client: scene.client)
    var states = manager.credentialStates.makeAsyncIterator()
    #expect(await states.next() == alice(Linked(.apple, onDevice: nil)))
    scene.server.withdraw(.apple, at: Self.withdrawnAt)
    _ = try await user.idToken(forcingRefresh: true)
    let next = await states.next()
    #expect(
      next == alice(Linked(.apple, onDevice: nil, consentRevokedAt: Self.withdrawnAt)))
    #expect(next?[.apple]?.state == .revoked)
    #expect(scene.journal.withLookups == ["token", "lookup"])
  }

  @Test func `at a launch with an expired token the server is asked after the first value`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 3600)
    scene.server.withdraw(.apple, at: Self.withdrawnAt)
    var states = try scene.relaunched().credentialStates.makeAsyncIterator()
    #expect(await states.next() == alice(Linked(.apple, onDevice: .authorized)))
    #expect(scene.journal.withLookups == ["state apple"])
    #expect(
      await states.next()
        == alice(Linked(.apple, onDevice: .authorized, consentRevokedAt: Self.withdrawnAt)))
    #expect(
      scene.journal.withLookups.filter { !$0.hasPrefix("state") } == ["token", "lookup"])
  }

  @Test func `a launch without a network has its first value, and the server's knowledge later`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 86_400)
    scene.server.withdraw(.apple, at: Self.withdrawnAt)
    scene.server.fail("token", .offline)
    let manager = try scene.relaunched()
    let seen = Seen()
    let loop = Task { for await states in manager.credentialStates { seen.note(states) } }
    defer { loop.cancel() }
    #expect(try await eventually { scene.journal.all.contains("token") })
    #expect(seen.all == [alice(Linked(.apple, onDevice: .authorized))])
    // The network is back.
    _ = try await manager.client.currentUser?.idToken()
    #expect(try await eventually { seen.all.count == 2 })
    #expect(seen.all.last?[.apple]?.consentRevokedAt == Self.withdrawnAt)
  }

  @Test func `the server's knowledge that was stored is in the first value`() async throws {
    let scene = try AccountScene([.apple])
    let user = try await scene.signIn()
    scene.server.withdraw(.apple, at: Self.withdrawnAt)
    try await user.reload()
    scene.journal.clear()
    var states = try scene.relaunched().credentialStates.makeAsyncIterator()
    #expect(
      await states.next()
        == alice(Linked(.apple, onDevice: .authorized, consentRevokedAt: Self.withdrawnAt)))
    #expect(scene.journal.withLookups == ["state apple"])
  }

  @Test func `a sign-in with the provider ends the withdrawal`() async throws {
    let scene = try AccountScene([.apple])
    let user = try await scene.signIn()
    scene.server.withdraw(.apple, at: Self.withdrawnAt)
    try await user.reload()
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(await states.next()?[.apple]?.state == .revoked)
    try await scene.signIn()
    #expect(await states.next() == alice(Linked(.apple, onDevice: .authorized)))
  }

  @Test(
    arguments: [
      ("TOKEN_EXPIRED", .revoked), ("USER_DISABLED", .disabled), ("USER_NOT_FOUND", .deleted),
    ] as [(String, SessionEnd)])
  func `a session that the server ended is a value with the reason`(
    _ refusal: String, _ end: SessionEnd
  ) async throws {
    let scene = try AccountScene([.apple])
    let user = try await scene.signIn()
    var states = scene.manager.credentialStates.makeAsyncIterator()
    _ = await states.next()
    scene.server.set { $0.accounts[0].refusal = refusal }
    _ = try? await user.idToken(forcingRefresh: true)
    #expect(await states.next() == CredentialStates(sessionEnd: end))
    // The reason belongs to that session alone.
    scene.server.set { $0.accounts[0].refusal = nil }
    try await scene.signIn()
    #expect(await states.next() == alice(Linked(.apple, onDevice: .authorized)))
    try scene.client.signOut()
    #expect(await states.next() == CredentialStates())
  }

  // MARK: Whose states

  @Test func `follows sign-ins, links and sign-outs, and repeats no value`() async throws {
    let scene = try AccountScene([.apple])
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(await states.next() == CredentialStates())
    let user = try await scene.signIn()
    let signedIn = alice(Linked(.apple, onDevice: .authorized))
    #expect(await states.next() == signedIn)
    // Neither of these changes a state.
    scene.server.set { $0.accounts[0].displayName = "Alice Ng" }
    try await user.reload()
    scene.apple.notifyOfRevocation()
    _ = try await scene.manager.link(.google)
    #expect(
      await states.next()
        == alice(Linked(.apple, onDevice: .authorized), Linked(.google, onDevice: .authorized)))
    try await user.unlink(.google)
    #expect(await states.next() == signedIn)
    try scene.client.signOut()
    #expect(await states.next() == CredentialStates())
  }

  @Test func `an anonymous account has no provider, and is no reason for a request`() async throws {
    let scene = try AccountScene()
    let user = try await scene.client.signInAnonymously().user
    scene.journal.clear()
    var states = scene.manager.credentialStates.makeAsyncIterator()
    #expect(await states.next() == CredentialStates(uid: user.uid))
    _ = try await user.idToken(forcingRefresh: true)
    try scene.client.signOut()
    #expect(await states.next() == CredentialStates())
    #expect(scene.journal.withLookups == ["token"])
  }

  @Test func `a store that can't be read yet signs no user out`() async throws {
    let store = FaultyStore()
    let bench = try Bench(store: store)
    try await bench.signedIn()
    store.fail(reading: FaultyStore.locked)
    let client = try bench.otherProcess()
    let states = AccountManager(client: client).credentialStates
    let seen = Seen()
    let loop = Task { for await states in states { seen.note(states) } }
    defer { loop.cancel() }
    #expect(client.state == .loading)
    store.fail()
    try client.load()
    #expect(try await eventually { !seen.all.isEmpty })
    #expect(seen.all.map(\.uid) == ["alice"])
  }

  @Test func `loops have their own values, and end with their task`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let manager = scene.manager
    let loops = (0..<2).map { _ in
      Task {
        var count = 0
        for await states in manager.credentialStates {
          #expect(states.uid == "alice")
          count += 1
        }
        return count
      }
    }
    #expect(try await eventually { scene.journal.withLookups == ["state apple", "state apple"] })
    #expect(scene.apple.state.withLock(\.observers).count == 2)
    for loop in loops {
      loop.cancel()
      #expect(await loop.value <= 1)
    }
    #expect(try await eventually { scene.apple.state.withLock(\.observers).isEmpty })
  }
}
