import GatehouseClient
import Testing

/// The check at launch, against providers at which users withdraw their consent.
@Suite(.developmentServer) struct AccountsLaunchTests {
  @Test func `a withdrawal at Apple signs out, unless Google remains`() async throws {
    let device = try await AccountDevice()
    let user = try await device.signIn()
    #expect(await device.manager.checkProviders() == .kept)
    try await device.withdraw(from: "apple", client: SimulatedProviders.bundleID)
    #expect(await device.manager.checkProviders() == .gone([.apple]))
    #expect(device.manager.authState == .signedOut)
    #expect(try device.relaunched().manager.authState == .signedOut)

    let both = try await AccountDevice()
    _ = try await both.signIn(with: .google)
    _ = try await both.manager.link(.apple)
    try await both.withdraw(from: "apple", client: SimulatedProviders.bundleID)
    #expect(await both.manager.checkProviders() == .kept)
    await both.google.signOut()
    #expect(await both.manager.checkProviders() == .gone([.apple, .google]))
    // None of this changes the account on the server.
    #expect(try await !both.server.administrator.account(user.uid).isNull)
  }

  @Test func `an account that another device deleted is reported as deleted`() async throws {
    let device = try await AccountDevice()
    let user = try await device.signIn()
    let second = try await AccountDevice(person: device.person)
    #expect(try await second.signIn().uid == user.uid)
    #expect(try await device.manager.confirmAccountExists())
    _ = try await second.manager.deleteAccount()
    // The first device notices the deletion only when it asks the server.
    #expect(device.manager.authState.user?.uid == user.uid)
    #expect(try await !device.manager.confirmAccountExists())
    #expect(device.manager.authState == .signedOut)
  }

  @Test func `a launch without a server stays signed in`() async throws {
    try await GatehouseServer.with { server in
      let device = try await AccountDevice(server: server)
      let user = try await device.signIn()
      try await server.stop()
      let later = try device.relaunched()
      #expect(later.manager.authState.user?.uid == user.uid)
      #expect(await later.manager.checkProviders() == .kept)
      await #expect(throws: AccountError.self) { try await later.manager.confirmAccountExists() }
      #expect(later.manager.authState.user?.uid == user.uid)
    }
  }
}
