import Foundation
import GatehouseClient
import GatehouseTesting
import Testing

/// Passkeys of a made-up device, with the server in memory.
struct PasskeyServerTests {
  private let server = AuthTestServer()
  private let device = TestAuthenticator()

  private func manager(signedInAs uid: String? = nil) -> AccountManager {
    AccountManager(
      client: AuthClient(testing: server, signedInAs: uid),
      devices: AccountDevices(passkeys: device))
  }

  private func user() -> TestUser {
    server.createUser(email: "ana@example.com", password: "secret", isEmailVerified: true)
  }

  @Test(arguments: ServerStory.passkeys)
  func `the server in memory knows passkeys as the real one does`(
    _ story: ServerStory
  ) async throws {
    try await story.run(.inMemory())
  }

  @Test func `a passkey is the factor that is required of a new user`() async throws {
    server.requiresSecondFactor = true
    let client = AuthClient(testing: server)
    _ = user()
    do {
      try await client.signIn(with: .password(email: "ana@example.com", password: "secret"))
      Issue.record("No second factor was asked for.")
    } catch ClientError.secondFactorRequired(let resolver) {
      #expect(resolver.isEnrollmentRequired)
      let creation = try await resolver.session.startPasskey()
      let result = try await resolver.session.addPasskey(
        try await device.create(creation, quietly: false))
      #expect(result.user.heldIDToken?.signInProvider == .password)
      #expect(result.user.heldIDToken?.secondFactor == "passkey")
    }
    try client.signOut()
    do {
      try await client.signIn(with: .password(email: "ana@example.com", password: "secret"))
      Issue.record("No second factor was asked for.")
    } catch ClientError.secondFactorRequired(let resolver) {
      #expect(resolver.isPasskeyAvailable && !resolver.isEnrollmentRequired)
      await expect("INVALID_MFA_PENDING_CREDENTIAL") {
        try await resolver.session.startPasskey()
      }
    }
  }

  @Test func `a sheet creates an account, or leads to Apple`() async throws {
    let manager = manager()
    guard case .signedIn(let result, _) = try await manager.signUpWithPasskey() else {
      Issue.record("No account was created.")
      return
    }
    #expect(!result.snapshot.isAnonymous)
    #expect(server.users.map(\.passkeys.count) == [1])
    device.prefersApple = true
    guard case .prefersApple = try await manager.signUpWithPasskey() else {
      Issue.record("The user prefers Sign in with Apple.")
      return
    }
  }

  @Test(arguments: [0.0, 301])
  func `a signature is accepted once, within five minutes`(seconds: Double) async throws {
    let manager = manager(signedInAs: user().uid)
    try await manager.addPasskey()
    let request = try await manager.client.startPasskeySignIn()
    let assertion = try await device.sign(request, .sheet)
    if seconds == 0 {
      try await manager.client.signIn(with: .passkey(assertion))
    } else {
      server.clock.advance(by: seconds)
    }
    await expect("INVALID_AUTHENTICATOR_RESPONSE") {
      try await manager.client.signIn(with: .passkey(assertion))
    }
  }

  @Test func `a sheet fails as the test says`() async throws {
    let manager = manager(signedInAs: user().uid)
    device.fault = .cancelled
    #expect(try await !manager.addPasskey())
    device.fault = .failed(detail: "test")
    await #expect(throws: AccountError.device(.failed(detail: "test"))) {
      try await manager.addPasskey()
    }
    #expect(device.passkeys.isEmpty)
  }
}
