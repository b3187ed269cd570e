import Foundation
import GatehouseClient
import Testing

@Suite struct ConfirmAccountExistsTests {
  @Test func `an existing account is confirmed by one request`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    #expect(try await scene.manager.confirmAccountExists())
    #expect(scene.journal.all == ["token"])
  }

  @Test func `a deleted account signs out`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.set { $0.accounts[0].exists = false }
    #expect(try await !scene.manager.confirmAccountExists())
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `being offline says nothing about the account`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("token", .offline)
    await #expect(
      throws: AccountError.client(.network(NetworkFault(.offline, detail: "scripted")))
    ) { try await scene.manager.confirmAccountExists() }
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `a disabled account isn't a deleted one`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.set { $0.accounts[0].refusal = "USER_DISABLED" }
    await #expect(throws: AccountError.client(.sessionEnded(.disabled))) {
      try await scene.manager.confirmAccountExists()
    }
  }
}
