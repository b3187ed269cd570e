import Foundation
import GatehouseClient
import Testing

@Suite struct DisconnectionTests {
  @Test func `Google is unlinked with what came from it, and revoked`() async throws {
    let scene = try AccountScene([.apple, .google])
    scene.server.set { state in
      state.accounts[0].displayName = "Alice at Google"
      state.accounts[0].photoURL = "https://photos.example.com/alice"
      state.accounts[0].providers[1].displayName = "Alice at Google"
      state.accounts[0].providers[1].photoURL = URL(string: "https://photos.example.com/alice")
    }
    try await scene.signIn(by: .google)
    #expect(
      try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: true))
    #expect(scene.journal.all == ["state google", "update", "disconnect google"])
    #expect(scene.server.account()?.providers.map(\.provider) == [.apple])
    let shown = try #require(scene.manager.authState.user)
    #expect(shown.providers.map(\.provider) == [.apple])
    #expect(shown.displayName == nil)
    #expect(shown.photoURL == nil)
  }

  @Test func `Apple is revoked by the code of a sheet`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    #expect(try await scene.manager.disconnect(.apple) == .disconnected(wasRevoked: true))
    #expect(scene.journal.all == ["state apple", "sheet apple", "revoke code-2", "update"])
  }

  @Test func `a provider that the device can't ask is unlinked, and not revoked`() async throws {
    let scene = try AccountScene([.apple, .google, "oidc.example"])
    try await scene.signIn()
    #expect(try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: false))
    #expect(
      try await scene.manager.disconnect("oidc.example") == .disconnected(wasRevoked: false))
    #expect(scene.server.account()?.providers.map(\.provider) == [.apple])
  }

  @Test func `the only way to sign in stays`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    await #expect(throws: AccountError.lastProvider(.google)) {
      _ = try await scene.manager.disconnect(.google)
    }
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `what isn't linked can't be disconnected`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    do throws(AccountError) {
      _ = try await scene.manager.disconnect(.apple)
      Issue.record("disconnected")
    } catch {
      guard case .client(.invalidArgument) = error else { throw error }
    }
  }

  @Test func `a call that failed can be repeated, and revoked nothing`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("update", .offline)
    await #expect(throws: AccountError.self) { _ = try await scene.manager.disconnect(.google) }
    #expect(scene.server.account()?.providers.count == 2)
    #expect(scene.journal.count("disconnect google") == 0)
    #expect(
      try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: true))
    #expect(scene.server.account()?.providers.map(\.provider) == [.apple])
  }

  @Test func `if only the response was lost, Google is revoked nevertheless`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("update", .answerLost)
    #expect(
      try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: true))
    #expect(scene.journal.count("disconnect google") == 1)
  }

  @Test func `if the account is deleted while a response is lost, the error says so`() async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("update", .offline)
    scene.server.set { $0.accounts[0].exists = false }
    await #expect(throws: AccountError.client(.sessionEnded(.deleted))) {
      _ = try await scene.manager.disconnect(.google)
    }
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `Google that can't be reached isn't revoked, and the outcome says so`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.google.set { $0.disconnectFault = .offline(detail: "x") }
    #expect(
      try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: false))
    #expect(scene.server.account()?.providers.map(\.provider) == [.apple])
  }

  @Test func `a closed sheet changes nothing`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    scene.apple.set { $0.fault = .cancelled }
    #expect(try await scene.manager.disconnect(.apple) == .cancelled)
    #expect(scene.server.account()?.providers.count == 2)
  }

  @Test func `another Apple account's sheet revokes nothing`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    scene.apple.set { $0.subject = "001.bob" }
    await #expect(throws: AccountError.answer(.anotherUser)) {
      _ = try await scene.manager.disconnect(.apple)
    }
    #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
  }

  @Test func `another device may have removed the other ways: Apple's sheet isn't shown`()
    async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    scene.server.set { $0.accounts[0].providers.removeLast() }
    await #expect(throws: AccountError.lastProvider(.apple)) {
      _ = try await scene.manager.disconnect(.apple)
    }
    #expect(scene.journal.all == ["state apple"])
  }

  // MARK: An old session

  @Test func `in an old session Apple's sheet re-authenticates before it revokes`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    scene.clock.advance(seconds: 1000)
    #expect(try await scene.manager.disconnect(.apple) == .disconnected(wasRevoked: true))
    #expect(
      scene.journal.all == [
        "state apple", "sheet apple", "reauthenticate apple.com", "revoke code-2", "update",
      ])
    #expect(scene.server.account()?.providers.map(\.provider) == [.google])
  }

  @Test func `in an old session Google's sheet re-authenticates, once the server asks for it`()
    async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 1000)
    #expect(try await scene.manager.disconnect(.google) == .disconnected(wasRevoked: true))
    #expect(
      scene.journal.all == [
        "state google", "update", "sheet google", "reauthenticate google.com", "update",
        "disconnect google",
      ])
    #expect(scene.server.account()?.providers.map(\.provider) == [.apple])
  }

  @Test(arguments: [Provider.apple, .google])
  func `an identity that isn't confirmed keeps its authorization`(provider: Provider) async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: provider)
    scene.server.set { $0.unconfirmed = [provider] }
    scene.clock.advance(seconds: 1000)
    let other: Provider = provider == .apple ? .google : .apple
    await #expect(throws: AccountError.client(.needsRecentSignIn(providers: [other]))) {
      _ = try await scene.manager.disconnect(provider)
    }
    #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
    #expect(scene.journal.count("disconnect google") == 0)
    #expect(scene.server.account()?.providers.count == 2)
  }

  @Test func `in an old session a closed Google sheet changes nothing`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 1000)
    scene.google.set { $0.fault = .cancelled }
    #expect(try await scene.manager.disconnect(.google) == .cancelled)
    #expect(scene.journal.all == ["state google", "update", "sheet google"])
    #expect(scene.server.account()?.providers.count == 2)
  }

  @Test func `in an old session another Google account disconnects nothing`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 1000)
    scene.google.set { $0.subject = "g-bob" }
    await #expect(throws: AccountError.answer(.anotherUser)) {
      _ = try await scene.manager.disconnect(.google)
    }
    #expect(scene.journal.all == ["state google", "update", "sheet google"])
    #expect(scene.server.account()?.providers.count == 2)
  }

  @Test func `in an old session a provider without a sheet stays, and the error says why`()
    async throws
  {
    let scene = try AccountScene([.apple, "oidc.example"])
    try await scene.signIn()
    scene.clock.advance(seconds: 1000)
    await #expect(throws: AccountError.client(.needsRecentSignIn(providers: [.apple]))) {
      _ = try await scene.manager.disconnect("oidc.example")
    }
    #expect(scene.server.account()?.providers.count == 2)
  }
}
