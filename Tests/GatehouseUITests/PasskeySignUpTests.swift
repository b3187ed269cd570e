import GatehouseClient
import GatehouseTesting
import Testing

@testable import GatehouseUI

/// The button that creates an account with a passkey, with the server in memory.
@Suite @MainActor struct PasskeySignUpTests {
  private let server = AuthTestServer()
  private let device = TestAuthenticator()
  private let flow = SignInFlow()

  private func page() -> SignInPage {
    SignInPage(
      manager: AccountManager(
        client: AuthClient(testing: server),
        devices: AccountDevices(apple: server.appleSheet(), passkeys: device)),
      options: [.apple, .newPasskey], rule: .create, language: .english)
  }

  @Test func `a passkey creates an account`() async throws {
    let result = await flow.signUpWithPasskey(on: page())
    #expect(result?.isNewUser == true)
    #expect(result?.provider == .passkey)
    #expect(server.users.map(\.passkeys.count) == [1])
  }

  @Test func `a user who prefers Sign in with Apple gets Apple's sheet`() async throws {
    device.prefersApple = true
    let result = await flow.signUpWithPasskey(on: page())
    #expect(result?.provider == .apple)
    #expect(server.users.map(\.passkeys.count) == [0])
  }

  @Test func `a closed sheet shows nothing`() async throws {
    device.fault = .cancelled
    #expect(await flow.signUpWithPasskey(on: page()) == nil)
    #expect(flow.failure == nil && server.users.isEmpty)
  }
}
