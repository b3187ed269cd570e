import Foundation
import GatehouseClient
import Testing

@Suite struct DisconnectionTests {
  @Test func `Google is revoked, its profile data erased, and unlinked`() async throws {
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
    #expect(scene.journal.all == ["state google", "disconnect google", "update", "update"])
    let account = try #require(scene.server.account())
    #expect(account.providers.map(\.provider) == [.apple])
    #expect(account.displayName == nil)
    #expect(account.photoURL == nil)
    #expect(scene.manager.authState.user?.providers.map(\.provider) == [.apple])
  }

  @Test func `a name that another provider has too, or the user chose, stays`() async throws {
    for (profile, apple) in [("Alice", "Alice"), ("Chosen", nil)] {
      let scene = try AccountScene([.apple, .google])
      scene.server.set { state in
        state.accounts[0].displayName = profile
        state.accounts[0].providers[0].displayName = apple
        state.accounts[0].providers[1].displayName = "Alice"
      }
      try await scene.signIn(by: .google)
      _ = try await scene.manager.disconnect(.google)
      #expect(scene.server.account()?.displayName == profile)
    }
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

  @Test func `a call that failed can be repeated`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("update", .offline)
    await #expect(throws: AccountError.self) { _ = try await scene.manager.disconnect(.google) }
    #expect(scene.server.account()?.providers.count == 2)
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
}
