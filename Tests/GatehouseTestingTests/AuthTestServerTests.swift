import Foundation
import GatehouseAuth
import GatehouseClient
import GatehouseCore
import GatehouseProtocol
import GatehouseTesting
import Testing

extension StoryServer {
  static func inMemory(
    _ server: AuthTestServer = AuthTestServer(protectsEmails: false)
  ) -> StoryServer {
    StoryServer(
      url: server.url, simulatorURL: server.url, transport: server, clock: server.clock,
      addPerson: { id, email, isVerified in
        server.add(TestPerson(id, email: email, isEmailVerified: isVerified))
      },
      code: { type, _ in try #require(server.emails.last { $0.requestType == type }).code })
  }
}

struct AuthTestServerTests {
  @Test(arguments: ServerStory.all)
  func `the server in memory answers as the real one does`(_ story: ServerStory) async throws {
    try await story.run(.inMemory())
  }

  @Test(arguments: ServerStory.protected)
  func `the server in memory protects addresses as the real one does`(
    _ story: ServerStory
  ) async throws {
    try await story.run(.inMemory(AuthTestServer()))
  }

  // MARK: The clock

  @Test func `a token expires when the clock moves, and is refreshed`() async throws {
    let server = AuthTestServer()
    let user = try await AuthClient(testing: server).signInAnonymously().user
    let first = try await user.idToken()
    server.clock.advance(by: 50 * 60)
    #expect(try await user.idToken() == first)
    server.clock.advance(by: 10 * 60)
    let second = try await user.idToken()
    #expect(second != first)
    #expect(second.authenticatedAt == first.authenticatedAt)
    #expect(server.calls == [.signUp, .lookup, .token])
  }

  @Test func `a sign-in is recent for five minutes`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    let user = try await client.createUser(email: "ana@example.com", password: "secret").user
    server.clock.advance(by: 301)
    await #expect(throws: ClientError.needsRecentSignIn(providers: [.password])) {
      try await user.delete()
    }
    try await user.reauthenticate(with: .password(email: "ana@example.com", password: "secret"))
    server.clock.advance(by: 300)
    try await user.delete()
    #expect(server.users == [])
  }

  @Test func `a code expires`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    server.createUser(email: "ana@example.com")
    try await client.sendPasswordReset(to: "ana@example.com")
    let email = try #require(server.emails.last)
    #expect(email.link.contains("oobCode=\(email.code)"))
    server.clock.advance(by: 3600)
    await expect("EXPIRED_OOB_CODE") {
      try await client.resetPassword(code: email.code, newPassword: "secret")
    }
  }

  @Test func `a refresh token that was used long ago ends the session`() async throws {
    let server = AuthTestServer()
    let story = StoryServer.inMemory(server)
    let account = try await story.post("v1/accounts:signUp", [:])
    let first = try #require(account["refreshToken"])
    let second = try #require(try await story.refresh(first)["refresh_token"])
    let third = try #require(try await story.refresh(second)["refresh_token"])
    server.clock.advance(by: 59)
    #expect(try await story.refresh(first)["refresh_token"] == third)
    server.clock.advance(by: 1)
    #expect(try await story.refresh(first)["message"] == "TOKEN_EXPIRED")
    #expect(try await story.refresh(third)["message"] == "TOKEN_EXPIRED")
  }

  // MARK: Faults

  @Test func `calls fail as often as the test says`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    server.fail(.signUp, with: .tooManyAttempts, times: 1)
    await expect("TOO_MANY_ATTEMPTS_TRY_LATER") {
      try await client.signInAnonymously()
    }
    try await client.signInAnonymously()

    // The client sends a look-up four times.
    server.fail(.lookup, with: .connectionLost)
    await #expect(
      throws: ClientError.network(NetworkFault(.lost, detail: "AuthTestServer"))
    ) { try await client.currentUser?.reload() }
    #expect(server.calls == [.signUp, .signUp, .lookup, .lookup, .lookup, .lookup, .lookup])
    server.succeed(.lookup)
    try await client.currentUser?.reload()
  }

  @Test func `without a network a user stays signed in`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    let user = try await client.signInAnonymously().user
    server.isOffline = true
    server.clock.advance(by: 3600)
    await #expect(
      throws: ClientError.network(NetworkFault(.offline, detail: "AuthTestServer"))
    ) { try await user.idToken() }
    #expect(client.currentUser == user)
  }

  @Test func `a call that waits is released, or ends with its task`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    server.hold(.signUp)
    async let first = client.signInAnonymously()
    try await server.waitUntilHeld(.signUp)
    #expect(server.users == [])
    server.release(.signUp)
    let user = try await first.user

    server.hold(.token)
    let refresh = Task { try await user.idToken(forcingRefresh: true) }
    try await server.waitUntilHeld(.token)
    refresh.cancel()
    await #expect(throws: ClientError.cancelled) { try await refresh.value }
    server.release(.token)
  }

  @Test func `what the server doesn't have is refused by name`() async {
    let client = AuthClient(testing: AuthTestServer())
    await #expect(
      throws: ClientError.server(
        ServerRefusal(
          status: 400, code: "OPERATION_NOT_ALLOWED",
          detail: "AuthTestServer doesn't offer accounts:sendVerificationCode.", reason: "invalid"))
    ) { try await client.sendVerificationCode(to: "+15555550100") }
  }

  // MARK: Other devices, and back ends

  @Test func `an administrator's changes are seen at the next call`() async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    let token = server.customToken(uid: "ana", claims: ["plan": "trial"])
    let user = try await client.signIn(withCustomToken: token).user
    #expect(user.heldIDToken?.claims["plan"]?.string == "trial")
    #expect(user.heldIDToken?.signInProvider == .custom)
    server.updateUser("ana") {
      $0.customClaims = ["role": "editor"]
      $0.displayName = "Ana"
    }
    #expect(try await user.idToken(forcingRefresh: true).claims["role"]?.string == "editor")
    try await user.reload()
    #expect(user.snapshot.displayName == "Ana")
    server.updateUser("ana") { $0.isDisabled = true }
    await #expect(throws: ClientError.sessionEnded(.disabled)) { try await user.reload() }
  }

  @Test(arguments: [SessionEnd.deleted, .disabled, .revoked, .invalid])
  func `a client that listens is signed out at once`(_ end: SessionEnd) async throws {
    let server = AuthTestServer()
    let client = AuthClient(testing: server)
    let user = try await client.signInAnonymously().user
    let (causes, tell) = AsyncStream<ClientError>.makeStream()
    let observation = client.observe { if let cause = $0.cause { tell.yield(cause) } }
    let listening = client.listenForChanges()
    switch end {
    case .deleted: server.deleteUser(user.uid)
    case .disabled: server.updateUser(user.uid) { $0.isDisabled = true }
    case .revoked: server.revokeRefreshTokens(user.uid)
    case .invalid: server.reset()
    }
    var all = causes.makeAsyncIterator()
    #expect(await all.next() == .sessionEnded(end))
    #expect(client.currentUser == nil)
    observation.cancel()
    listening.cancel()
  }

  // MARK: The facade

  @Test func `Auth runs on the server`() async throws {
    let server = AuthTestServer()
    let name = "facade-\(UInt64.random(in: 0 ... .max))"
    let store = MemoryStore()
    var auth = Auth.auth(
      app: FirebaseApp.configure(
        testing: server, name: name, store: store, listensForChanges: false))
    let raw = "a nonce"
    let sheet = server.authorize(.apple, nonce: Nonce(raw: raw).sha256)
    let credential = OAuthProvider.appleCredential(
      withIDToken: sheet.idToken, rawNonce: raw, fullName: nil)
    let result = try await auth.signIn(with: credential)
    #expect(result.user.email == "alice@example.com")
    #expect(result.additionalUserInfo?.isNewUser == true)
    #expect(server.users.map(\.email) == ["alice@example.com"])

    // The app is started again, and then another device without a session.
    auth = Auth.auth(
      app: FirebaseApp.configure(
        testing: server, name: name, store: store, listensForChanges: false))
    #expect(auth.currentUser?.uid == result.user.uid)
    auth = Auth.auth(
      app: FirebaseApp.configure(testing: server, name: name, listensForChanges: false))
    #expect(auth.currentUser == nil)
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example.com")
    settings.handleCodeInApp = true
    try await auth.sendSignInLink(toEmail: "alice@example.com", actionCodeSettings: settings)
    let link = try #require(server.emails.last?.link)
    #expect(auth.isSignIn(withEmailLink: link))
    let again = try await auth.signIn(withEmail: "alice@example.com", link: link)
    #expect(again.user.uid == result.user.uid)
  }

  @Test func `AccountManager signs in with the sheets, revokes and deletes`() async throws {
    let server = AuthTestServer()
    let sheet = server.appleSheet()
    let manager = AccountManager(
      client: AuthClient(testing: server),
      devices: AccountDevices(apple: sheet, google: server.googleSignIn()))
    guard case .signedIn(let result) = try await manager.signIn(with: .apple) else {
      Issue.record("Nobody is signed in.")
      return
    }
    #expect(result.snapshot.displayName == "Alice Appleseed")
    _ = try await manager.link(.google)
    #expect(server.user(result.user.uid)?.identities.map(\.provider) == [.apple, .google])
    server.clock.advance(by: 3600)
    guard case .deleted(let receipt) = try await manager.deleteAccount() else {
      Issue.record("The account was not deleted.")
      return
    }
    #expect(Set(receipt.revoked + receipt.revokedByServer) == [.apple, .google])
    #expect(server.users == [])
    let appleID = try #require(result.snapshot.provider(.apple)?.uid)
    #expect(try await sheet.credentialState(forUserID: appleID) == .revoked)
  }

  @Test func `the device's sheets answer for a person`() async throws {
    let server = AuthTestServer()
    let nonce = Nonce()
    let sheet = server.appleSheet(SimulatedPerson("bob", hidesEmail: true))
    let first = try await sheet.authorize(AppleAuthorizationRequest(nonce: nonce.sha256))
    #expect(first.email == "bob@privaterelay.appleid.com")
    #expect(first.fullName == PersonName(givenName: "Bob", familyName: "Baker"))
    let second = try await sheet.authorize(AppleAuthorizationRequest(nonce: nonce.sha256))
    #expect(second.fullName == nil)
    server.revokeAuthorization(of: .bob, at: .apple)
    #expect(try await sheet.credentialState(forUserID: first.user) == .revoked)
    sheet.person.decision = .cancels
    await #expect(throws: DeviceFault.cancelled) {
      try await sheet.authorize(AppleAuthorizationRequest(nonce: nonce.sha256))
    }
  }
}
