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

  @Test func `a user adds a passkey, signs in with it, and removes it`() async throws {
    let user = user()
    let manager = manager(signedInAs: user.uid)
    #expect(try await manager.addPasskey(name: "Phone"))
    #expect(server.user(user.uid)?.passkeys.map(\.name) == ["Phone"])
    await #expect(
      throws: AccountError.device(.unavailable(detail: "The device has a passkey of this account"))
    ) { try await manager.addPasskey() }
    try manager.client.signOut()
    let result = try #require(try await manager.signIn(with: .passkey).result)
    #expect(result.user.uid == user.uid)
    #expect(result.user.heldIDToken?.signInProvider == .passkey)
    let passkey = try #require(result.user.snapshot.passkeys.first)
    #expect(passkey.lastUsedAt == server.clock.now)
    let request = try await result.user.startPasskeyReauthentication()
    try await result.user.reauthenticate(
      with: .passkey(try await device.sign(request, .sheet)))
    try await manager.removePasskey(passkey)
    #expect(server.user(user.uid)?.passkeys == [])
    #expect(result.user.snapshot.passkeys == [])
    await expect("PASSKEY_ENROLLMENT_NOT_FOUND") {
      try await result.user.startPasskeyReauthentication()
    }
    await #expect(throws: AccountError.self) { try await manager.signIn(with: .passkey) }
  }

  @Test func `a passkey creates an account, and is its last way to sign in`() async throws {
    let manager = manager()
    guard case .signedIn(let result, _) = try await manager.signUpWithPasskey() else {
      Issue.record("No account was created.")
      return
    }
    #expect(result.isNewUser)
    #expect(!result.snapshot.isAnonymous)
    let id = try #require(result.user.snapshot.passkeys.first?.id)
    await expect("OPERATION_NOT_ALLOWED") { try await result.user.removePasskeys([id]) }
    #expect(server.users.map(\.passkeys.count) == [1])
    device.prefersApple = true
    guard case .prefersApple = try await manager.signUpWithPasskey() else {
      Issue.record("The user prefers Sign in with Apple.")
      return
    }
  }

  @Test func `an address that an account has creates no other`() async throws {
    let client = AuthClient(testing: server)
    _ = user()
    let creation = try await client.startPasskeyAccount(email: "ana@example.com")
    let registration = try await device.create(creation, quietly: false)
    await #expect(
      throws: ClientError.credentialInUse(updated: nil, email: nil, code: "EMAIL_EXISTS")
    ) { try await client.createUser(with: registration) }
    #expect(server.users.count == 1)
  }

  @Test func `a passkey is a second factor, and both factors if the device verifies the user`()
    async throws
  {
    let user = user()
    let manager = manager(signedInAs: user.uid)
    try await manager.addPasskey()
    server.addAuthenticator(to: user.uid)
    try manager.client.signOut()
    do {
      try await manager.client.signIn(
        with: .password(email: "ana@example.com", password: "secret"))
      Issue.record("No second factor was asked for.")
    } catch ClientError.secondFactorRequired(let resolver) {
      #expect(resolver.isPasskeyAvailable)
      let request = try await resolver.startPasskey()
      let result = try await resolver.resolve(
        with: .passkey(try await device.sign(request, .sheet)))
      #expect(result.user.heldIDToken?.secondFactor == "passkey")
    }
    try manager.client.signOut()
    #expect(try await manager.signIn(with: .passkey).result != nil)
    try manager.client.signOut()
    device.verifiesUser = false
    do {
      _ = try await manager.signIn(with: .passkey)
      Issue.record("No second factor was asked for.")
    } catch AccountError.client(.secondFactorRequired(let resolver)) {
      #expect(!resolver.isPasskeyAvailable)
      #expect(resolver.factors.count == 1)
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
