import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct LaunchCheckTests {
  private struct Unexpected: Error {}

  @Test func `a launch with an unexpired token makes no request`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 3600 - 301)
    let before = scene.server.requestCount
    let manager = try scene.relaunched()
    #expect(manager.authState.user?.uid == "alice")
    #expect(await manager.checkProviders() == .kept)
    _ = try await manager.client.currentUser?.idToken()
    #expect(scene.server.requestCount == before)
  }

  @Test func `an offline launch is signed in, also with an expired token`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 86_400)
    scene.server.fail("token", .offline, .offline)
    scene.apple.set { $0.standing = .failure(.offline(detail: "x")) }
    let manager = try scene.relaunched()
    #expect(manager.authState.user?.uid == "alice")
    #expect(await manager.checkProviders() == .kept)
    await #expect(throws: ClientError.self) { try await manager.client.currentUser?.idToken() }
    #expect(manager.authState.user?.uid == "alice")
  }

  @Test func `two revoked providers sign out`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.apple.set { $0.standing = .success(.revoked) }
    scene.google.set { $0.standing = .success(.notFound) }
    #expect(await scene.manager.checkProviders() == .gone([.apple, .google]))
    #expect(scene.manager.authState == .signedOut)
    #expect(try scene.relaunched().authState == .signedOut)
  }

  @Test(arguments: [
    Result<ProviderCredentialState, DeviceFault>.success(.authorized),
    .failure(.offline(detail: "x")), .failure(.unavailable(detail: "x")),
    .failure(.failed(detail: "x")),
  ])
  func `one provider that is authorized or can't tell keeps the user`(
    _ google: Result<ProviderCredentialState, DeviceFault>
  ) async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.apple.set { $0.standing = .success(.revoked) }
    scene.google.set { $0.standing = google }
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `Google isn't asked while Apple is authorized`() async throws {
    let scene = try AccountScene([.google, .apple])
    try await scene.signIn()
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.journal.all == ["state apple"])
  }

  @Test func `a user who has only Google isn't signed out because Apple doesn't know them`()
    async throws
  {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.apple.set { $0.standing = .success(.notFound) }
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.journal.all == ["state google"])
  }

  @Test func `a password can't be asked, so it keeps the user`() async throws {
    let scene = try AccountScene([.apple, .password])
    try await scene.signIn()
    scene.apple.set { $0.standing = .success(.revoked) }
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `an app without Apple's sheet can't ask Apple`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    #expect(await AccountManager(client: scene.client).checkProviders() == .kept)
  }

  @Test func `an app that was transferred to another team keeps its users`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.apple.set { $0.standing = .success(.transferred) }
    #expect(await scene.manager.checkProviders() == .keptTransferred)
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `an anonymous account is never signed out`() async throws {
    let scene = try AccountScene()
    try await scene.client.signInAnonymously()
    scene.apple.set { $0.standing = .success(.notFound) }
    #expect(await scene.manager.checkProviders() == .kept)
    guard case .anonymous = scene.manager.authState else { throw Unexpected() }
  }

  @Test func `without a signed-in user there is nothing to check`() async throws {
    let scene = try AccountScene()
    #expect(await scene.manager.checkProviders() == .signedOut)
  }

  @Test func `a user who signs in while the device is asked isn't signed out`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    let (client, clock) = (scene.client, scene.clock)
    let asking = AskingApple {
      clock.advance(seconds: 5)
      _ = try? await client.signInAnonymously()
      try? client.signOut()
      _ = try? await client.signInAnonymously()
    }
    scene.google.set { $0.standing = .success(.notFound) }
    let manager = AccountManager(
      client: client, devices: AccountDevices(apple: asking, google: scene.google))
    #expect(await manager.checkProviders() == .kept)
    guard case .anonymous = manager.authState else { throw Unexpected() }
  }

  /// Runs code while Apple is asked, and answers that the user revoked.
  private struct AskingApple: AppleAuthorizing {
    let meanwhile: @Sendable () async -> Void
    init(_ meanwhile: @escaping @Sendable () async -> Void) { self.meanwhile = meanwhile }
    func authorize(_ request: AppleAuthorizationRequest)
      async throws(DeviceFault) -> AppleAuthorization
    { throw .cancelled }
    func credentialState(forUserID user: String)
      async throws(DeviceFault) -> ProviderCredentialState
    {
      await meanwhile()
      return .revoked
    }
  }

  @Test func `after a deletion that failed, the user isn't signed out, and can repeat it`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.apple.set { $0.standing = .success(.revoked) }
    let manager = try scene.relaunched()
    #expect(await manager.checkProviders() == .kept)
    #expect(
      try await manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
  }

  @Test func `a user who signs in again after a failed deletion can be signed out`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    try await scene.signIn()
    scene.apple.set { $0.standing = .success(.revoked) }
    #expect(await scene.manager.checkProviders() == .gone([.apple]))
  }

  @Test func `a deletion in progress isn't taken for a withdrawal`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let (apple, manager) = (scene.apple, scene.manager)
    let check = Locked<LaunchCheck?>(nil)
    apple.set {
      $0.meanwhile = {
        apple.set { $0.standing = .success(.revoked) }
        let found = await manager.checkProviders()
        check.withLock { $0 = found }
      }
    }
    #expect(
      try await manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
    #expect(check.withLock { $0 } == .kept)
  }

  @Test func `an app that is killed while it revokes doesn't take that for a withdrawal`()
    async throws
  {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    let nextLaunch = try scene.relaunched()
    let check = Locked<LaunchCheck?>(nil)
    let google = RevokingGoogle(google: scene.google) {
      let found = await nextLaunch.checkProviders()
      check.withLock { $0 = found }
    }
    let manager = AccountManager(client: scene.client, devices: AccountDevices(google: google))
    _ = try await manager.deleteAccount()
    #expect(check.withLock { $0 } == .kept)
  }

  /// Runs code after Google revoked, and before the app knows it.
  private struct RevokingGoogle: GoogleSigningIn {
    let google: ScriptedGoogle
    let meanwhile: @Sendable () async -> Void
    var takesNonce: Bool { google.takesNonce }
    func signIn(_ request: GoogleSignInRequest) async throws(DeviceFault) -> GoogleAuthorization {
      try await google.signIn(request)
    }
    func credentialState(forUserID user: String)
      async throws(DeviceFault) -> ProviderCredentialState
    { try await google.credentialState(forUserID: user) }
    func disconnect(userID user: String) async throws(DeviceFault) {
      try await google.disconnect(userID: user)
      await meanwhile()
    }
    func signOut() async { await google.signOut() }
  }

  /// A deletion whose revocation at Apple failed.
  private func failedRevocation(_ failure: AccountServer.Failure) async throws -> AccountScene {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("revoke", failure)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .revoke(.apple))
    return scene
  }

  @Test(arguments: [AccountServer.Failure.answerLost, .refusal("INVALID_IDP_RESPONSE : x")])
  func `after a revocation with an unknown result the user isn't signed out, and can repeat it`(
    _ failure: AccountServer.Failure
  ) async throws {
    let scene = try await failedRevocation(failure)
    scene.apple.set { $0.standing = .success(.revoked) }
    let manager = try scene.relaunched()
    #expect(await manager.checkProviders() == .kept)
    #expect(
      try await manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
  }

  @Test func `after a refused revocation a withdrawal is the user's own`() async throws {
    let scene = try await failedRevocation(.refusal("OPERATION_NOT_ALLOWED : no key"))
    scene.apple.set { $0.standing = .success(.revoked) }
    #expect(try await scene.relaunched().checkProviders() == .gone([.apple]))
  }

  @Test func `if Apple is authorized after a failed revocation, a later withdrawal counts`()
    async throws
  {
    let scene = try await failedRevocation(.answerLost)
    #expect(try await scene.relaunched().checkProviders() == .kept)
    scene.apple.set { $0.standing = .success(.revoked) }
    #expect(try await scene.relaunched().checkProviders() == .gone([.apple]))
  }

  @Test func `a locked store keeps the check from signing the user out`() async throws {
    let scene = try AccountScene()
    let store = FaultyStore()
    store.fail(reading: FaultyStore.locked, writing: FaultyStore.locked)
    let client = AuthClient(
      configuration: scene.client.configuration, store: store, transport: scene.server,
      clock: scene.clock)
    let manager = AccountManager(client: client, devices: scene.manager.devices)
    #expect(await manager.checkProviders() == .notLoaded)
  }

  // MARK: What the server knows

  private static let withdrawnAt = Date(timeIntervalSince1970: 1_799_999_000)

  /// Alice's devices know that she withdrew consent at `providers`, as far as the server says.
  private func withdrawn(
    _ providers: [Provider], of linked: [Provider]
  ) async throws -> AccountScene {
    let scene = try AccountScene(linked)
    try await scene.signIn(by: .google)
    for provider in providers { scene.server.withdraw(provider, at: Self.withdrawnAt) }
    try await scene.client.currentUser?.reload()
    scene.journal.clear()
    return scene
  }

  @Test
  func `a withdrawal that the server reports signs the user out, even if no device can be asked`()
    async throws
  {
    let scene = try await withdrawn([.apple, .google], of: [.apple, .google])
    // What the server said is stored.
    let deviceless = try AccountManager(client: scene.relaunched().client)
    #expect(await deviceless.checkProviders() == .gone([.apple, .google]))
    #expect(deviceless.authState == .signedOut)
    #expect(scene.journal.withLookups == ["lookup"])
  }

  @Test func `the device and the server together sign out`() async throws {
    let scene = try await withdrawn([.google], of: [.apple, .google])
    scene.apple.set { $0.standing = .success(.revoked) }
    #expect(await scene.manager.checkProviders() == .gone([.apple, .google]))
    #expect(scene.journal.withLookups == ["state apple", "lookup", "state apple"])
    #expect(scene.google.state.withLock(\.held) == nil)
  }

  @Test func `a provider that is authorized keeps the user, without a request`() async throws {
    let scene = try await withdrawn([.apple], of: [.apple, .google])
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.journal.withLookups == ["state google"])
  }

  @Test func `a user who consented again on another device isn't signed out`() async throws {
    let scene = try await withdrawn([.google], of: [.google])
    scene.server.withdraw(.google, at: nil)
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.manager.authState.user?.provider(.google)?.consentRevokedAt == nil)
    #expect(scene.journal.withLookups == ["lookup", "state google"])
  }

  @Test(arguments: [AccountServer.Failure.offline, .answerLost, .refusal("TOO_MANY_ATTEMPTS")])
  func `a withdrawal that the server doesn't confirm signs no user out`(
    _ failure: AccountServer.Failure
  ) async throws {
    let scene = try await withdrawn([.google], of: [.google])
    scene.server.fail("lookup", failure)
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `a session that the server has ended is signed out`() async throws {
    let scene = try await withdrawn([.google], of: [.google])
    scene.server.set { $0.accounts[0].refusal = "TOKEN_EXPIRED" }
    #expect(await scene.manager.checkProviders() == .gone([.google]))
    #expect(scene.manager.authState == .signedOut)
    #expect(scene.google.state.withLock(\.held) == nil)
  }

  @Test func `a user who signs in again is authorized again`() async throws {
    let scene = try await withdrawn([.google], of: [.google])
    try await scene.signIn(by: .google)
    #expect(await scene.manager.checkProviders() == .kept)
    #expect(scene.journal.all == ["state google"])
  }

  // MARK: The decision alone

  typealias Said = (provider: Provider, state: ProviderCredentialState?)

  @Test(arguments: [ProviderCredentialState.revoked, .notFound])
  func `a revoked only provider signs out`(state: ProviderCredentialState) {
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .gone([.apple]))
  }

  @Test(arguments: [ProviderCredentialState.authorized, nil])
  func `an authorized provider, or one that can't be asked, keeps the user`(
    state: ProviderCredentialState?
  ) {
    #expect(LaunchCheck(isAnonymous: false, standing: [(.apple, state)]) == .kept)
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .revoked), (.google, state)]) == .kept)
  }

  @Test func `all linked providers have to be revoked`() {
    let all: [Said] = [(.apple, .notFound), (.google, .revoked)]
    #expect(LaunchCheck(isAnonymous: false, standing: all) == .gone([.apple, .google]))
    let password: [Said] = all + [(.password, nil)]
    #expect(LaunchCheck(isAnonymous: false, standing: password) == .kept)
  }

  @Test func `a transferred app keeps its users, whatever another provider says`() {
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .transferred)]) == .keptTransferred)
    #expect(
      LaunchCheck(isAnonymous: false, standing: [(.apple, .transferred), (.google, .revoked)])
        == .keptTransferred)
  }

  @Test func `an anonymous account stays, and one without providers`() {
    #expect(LaunchCheck(isAnonymous: true, standing: [(.apple, .revoked)]) == .kept)
    #expect(LaunchCheck(isAnonymous: false, standing: []) == .kept)
  }
}
