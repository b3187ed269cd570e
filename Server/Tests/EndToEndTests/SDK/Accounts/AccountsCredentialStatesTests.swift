import Foundation
import GatehouseClient
import Testing

/// The states that a running app receives after a withdrawn consent.
@Suite struct AccountsCredentialStatesTests {
  @Test func `a withdrawal at Apple reaches an app that can't ask the device`() async throws {
    try await GatehouseServer.with { server in
      try await server.providers.put(
        "clients",
        [
          "provider": "apple", "client_id": .string(SimulatedProviders.bundleID),
          "team_id": "TEAM123456",
          "notification_url": .string("\(server.baseURL)/v1/notifications/apple/demo"),
        ])
      let device = try await AccountDevice(server: server)
      let user = try await device.signIn()
      let manager = AccountManager(client: device.manager.client)
      var states = manager.credentialStates.makeAsyncIterator()
      #expect(
        await states.next()
          == CredentialStates(
            uid: user.uid, providers: [ProviderStanding(.apple, onDevice: nil)]))
      try await device.withdraw(from: "apple", client: SimulatedProviders.bundleID)
      // The server has ended the session; the client finds out with its next token.
      let hasEnded = try await Deadline.wait {
        _ = try? await user.idToken(forcingRefresh: true)
        return manager.authState == .signedOut
      }
      #expect(hasEnded)
      #expect(await states.next() == CredentialStates(sessionEnd: .revoked))
    }
  }

  @Test func `a withdrawal at Apple is asked of the device, and ends with the next sign-in`()
    async throws
  {
    try await GatehouseServer.with { server in
      let device = try await AccountDevice(server: server)
      let user = try await device.signIn()
      let first = try await user.idToken()
      var states = device.manager.credentialStates.makeAsyncIterator()
      #expect(await states.next()?[.apple]?.state == .authorized)
      try await device.withdraw(from: "apple", client: SimulatedProviders.bundleID)
      // Within the second of the sign-in, the server returns an identical token.
      let isRefreshed = try await Deadline.wait {
        try await user.idToken(forcingRefresh: true).token != first.token
      }
      try #require(isRefreshed)
      #expect(await states.next()?[.apple]?.state == .revoked)
      #expect(try await device.signIn().uid == user.uid)
      #expect(await states.next()?[.apple]?.state == .authorized)
    }
  }
}
