import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct SignInTests {
  private static let google = Credential.google(idToken: "t", nonce: Nonce())

  @Test func `a sign-in succeeds even if the profile's answer is lost`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:lookup", failing: .lost)
    bench.server.on("accounts:signInWithIdp") {
      var response = Answers.idp(now: bench.clock.now)
      response.tokens = SessionTokens(
        idToken: TestToken.make(
          now: bench.clock.now,
          claims: [
            .init(name: "email", value: "a@example.com"), .init(name: "name", value: "Alice"),
            .init(name: "email_verified", value: true),
            .init(
              name: "firebase",
              value: [
                "sign_in_provider": "apple.com",
                "identities": ["apple.com": ["001.alice"], "email": ["a@example.com"]],
              ]),
          ]), refreshToken: "r", expiresInSeconds: 3600)
      return response
    }
    let snapshot = try await bench.signedIn().snapshot
    #expect(snapshot.email == "a@example.com")
    #expect(snapshot.displayName == "Alice")
    #expect(snapshot.isEmailVerified)
    #expect(snapshot.providers == [LinkedProvider(provider: .apple, uid: "001.alice")])
    #expect(try bench.otherProcess().load() == .signedIn(snapshot))
  }

  @Test func `the id of an account may have 256 bytes`() async throws {
    let bench = try Bench()
    let longest = String(repeating: "u", count: 256)
    bench.server.on("accounts:lookup", failing: .lost)
    bench.server.on("accounts:signInWithIdp") { Answers.idp(uid: longest, now: bench.clock.now) }
    #expect(try await bench.signedIn().snapshot.uid == longest)
  }

  @Test func `an account that is disabled between the two answers isn't signed in`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:lookup", refusing: "USER_DISABLED")
    await #expect(throws: ClientError.sessionEnded(.disabled)) { try await bench.signedIn() }
    #expect(bench.client.state == .signedOut)
  }

  @Test func `a credential with a nonce is sent once`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp", failing: .lost)
    await #expect(throws: ClientError.network(NetworkFault(.lost, detail: "scripted"))) {
      try await bench.client.signIn(with: Self.google)
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test func `a repeatable call is sent four times at most`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp", failing: .lost)
    await #expect(throws: ClientError.network(NetworkFault(.lost, detail: "scripted"))) {
      try await bench.client.signIn(with: .facebook(accessToken: "t"))
    }
    #expect(bench.server.requests.count == 4)
    #expect(bench.clock.slept.count == 3)
  }

  @Test(arguments: [NetworkFault.Kind.offline, .secureConnectionFailed, .other])
  func `a permanent network fault is sent once`(kind: NetworkFault.Kind) async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp", failing: kind)
    await #expect(throws: ClientError.network(NetworkFault(kind, detail: "scripted"))) {
      try await bench.client.signIn(with: .facebook(accessToken: "t"))
    }
    #expect(bench.server.requests.count == 1)
  }

  @Test func `an answer after signing out signs no user in`() async throws {
    let bench = try Bench()
    let gate = TestGate()
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Answers.idp(now: bench.clock.now))
    }
    let signIn = Task { try await bench.signedIn() }
    #expect(try await eventually { bench.server.requests.count == 1 })
    try bench.client.signOut()
    gate.open()
    await #expect(throws: ClientError.cancelled) { try await signIn.value }
    #expect(bench.client.state == .signedOut)
    #expect(try bench.otherProcess().load() == .signedOut)
  }

  @Test func `of two sign-ins the one answered first stays`() async throws {
    let bench = try Bench()
    let gate = TestGate()
    bench.server.on("accounts:signInWithPassword") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(
        SignInWithPasswordResponse(
          localID: "bob", email: "b@example.com",
          tokens: Answers.tokens(uid: "bob", now: bench.clock.now)))
    }
    let slow = Task {
      try await bench.client.signIn(with: .password(email: "b@example.com", password: "p"))
    }
    #expect(try await eventually { bench.server.requests.count == 1 })
    let user = try await bench.signedIn()
    gate.open()
    await #expect(throws: ClientError.cancelled) { try await slow.value }
    #expect(bench.client.currentUser == user)
  }

  @Test func `a session that ends meanwhile doesn't stop a sign-in`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("v1/token", refusing: "TOKEN_EXPIRED")
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in
      _ = try? await user.idToken(forcingRefresh: true)
      return ScriptedTransport.ok(Answers.idp(now: bench.clock.now))
    }
    let next = try await bench.signedIn()
    #expect(bench.client.currentUser == next)
  }

  @Test func `a cancelled sign-in ends quietly`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in throw .cancelled }
    await #expect(throws: ClientError.cancelled) { try await bench.signedIn() }
    #expect(bench.client.state == .signedOut)
  }

  @Test func `an anonymous session is kept`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signUp") {
      var response = SignUpResponse(localID: "anna")
      response.tokens = Answers.tokens(uid: "anna", now: bench.clock.now, provider: "anonymous")
      return response
    }
    bench.server.on("accounts:lookup") { LookupResponse(users: [UserInfo(localID: "anna")]) }
    let first = try await bench.client.signInAnonymously()
    let second = try await bench.client.signInAnonymously()
    #expect(first.isNewUser)
    #expect(!second.isNewUser)
    #expect(first.user == second.user)
    #expect(second.snapshot.isAnonymous)
    #expect(bench.server.requests("accounts:signUp").count == 1)
  }

  @Test func `of two anonymous sign-ins at the same time both return the user`() async throws {
    let bench = try Bench()
    let client = bench.client
    let clock = bench.clock
    let other = Locked<Task<Void, Never>?>(nil)
    bench.server.on("accounts:signUp") { (_) throws(TransportFault) in
      // The other sign-in begins and ends before the first response arrives.
      let isFirst = other.withLock { other in
        defer { other = other ?? Task { _ = try? await client.signInAnonymously() } }
        return other == nil
      }
      if isFirst { await other.withLock { $0 }?.value }
      var response = SignUpResponse(localID: "anna")
      response.tokens = Answers.tokens(uid: "anna", now: clock.now, provider: "anonymous")
      return ScriptedTransport.ok(response)
    }
    bench.server.on("accounts:lookup") { LookupResponse(users: [UserInfo(localID: "anna")]) }
    let result = try await client.signInAnonymously()
    #expect(result.user === client.currentUser)
    #expect(!result.isNewUser)
    #expect(bench.server.requests("accounts:signUp").count == 2)
  }

  // MARK: What the user has to do first

  @Test func `an identity of another account comes with a credential that signs in to it`()
    async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.errorMessage = "FEDERATED_USER_ID_ALREADY_LINKED"
      response.email = "g@example.com"
      response.oauthIDToken = "t"
      response.pendingToken = "pending"
      return response
    }
    do {
      try await user.link(Self.google)
      Issue.record("It was linked.")
    } catch .credentialInUse(let updated, let email, let code) {
      #expect(updated?.pendingToken == "pending")
      #expect(updated?.idToken == "t")
      #expect(updated?.provider == .google)
      #expect(email == "g@example.com")
      #expect(code == "FEDERATED_USER_ID_ALREADY_LINKED")
    }
    #expect(bench.client.currentUser == user)
  }

  @Test func `an account that needs another sign-in method is named`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.needConfirmation = true
      response.verifiedProviders = ["apple.com"]
      response.email = "g@example.com"
      response.pendingToken = "pending"
      return response
    }
    do {
      try await bench.client.signIn(with: Self.google)
      Issue.record("A user was signed in.")
    } catch .accountExists(let email, let providers, let updated) {
      #expect(email == "g@example.com")
      #expect(providers == [.apple])
      #expect(updated?.pendingToken == "pending")
    }
    #expect(bench.client.state == .signedOut)
  }

  @Test func `consent is asked for, in either form`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.consentRequired = ConsentRequired(joins: ["apple.com", "google.com"])
      response.errorMessage = "CONSENT_REQUIRED : The person has to agree."
      response.pendingToken = "pending"
      return response
    }
    do {
      try await user.link(Self.google)
      Issue.record("It was linked.")
    } catch .consentRequired(let joins, let updated) {
      #expect(joins == ["apple.com", "google.com"])
      #expect(updated?.pendingToken == "pending")
    }
    bench.server.on("accounts:update") { (_) throws(TransportFault) in
      var body = ErrorBody(code: 400, message: "CONSENT_REQUIRED : The person has to agree.")
      body.consentRequired = ConsentRequired(joins: ["apple.com", "email"])
      return TransportResponse(status: 400, headers: [:], body: Data(body.json()))
    }
    await #expect(
      throws: ClientError.consentRequired(joins: ["apple.com", "email"], updated: nil)
    ) { try await user.update(email: "b@example.com") }
  }

  @Test func `a new user is asked before an account is created`() async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") {
      var response = SignInWithIdpResponse(providerID: "google.com")
      response.isNewUser = true
      response.email = "g@example.com"
      response.pendingToken = "pending"
      return response
    }
    let outcome = try await bench.client.signInAsking(with: Self.google)
    guard case .newAccount(let offer) = outcome else {
      Issue.record("The user wasn't asked.")
      return
    }
    #expect(offer.email == "g@example.com")
    bench.server.on("accounts:signInWithIdp") { Answers.idp(now: bench.clock.now) }
    try await offer.continue()
    let message = try #require(bench.server.requests("accounts:signInWithIdp").last)
      .message(SignInWithIdpRequest.self)
    #expect(message.pendingToken == "pending")
    #expect(message.ifNew == nil)
  }

  @Test(arguments: [
    (
      "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.",
      ClientError.nonce(detail: "Nonce is missing in the request.")
    ),
    (
      "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
      ClientError.needsRecentSignIn(providers: [.apple])
    ),
    (
      "EMAIL_EXISTS",
      ClientError.credentialInUse(updated: nil, email: "b@example.com", code: "EMAIL_EXISTS")
    ),
    (
      "INVALID_EMAIL",
      ClientError.server(ServerRefusal(status: 400, code: "INVALID_EMAIL"))
    ),
  ])
  func `a refusal has the case that is acted on`(message: String, error: ClientError) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:update", refusing: message)
    await #expect(throws: error) { try await user.update(email: "b@example.com") }
    #expect(bench.client.currentUser == user)
  }

  @Test func `an identity that is already linked isn't sent`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let sent = bench.server.requests.count
    await #expect(
      throws: ClientError.server(ServerRefusal(status: 400, code: "PROVIDER_ALREADY_LINKED"))
    ) { try await user.link(.apple(idToken: "t", nonce: nil)) }
    await #expect(
      throws: ClientError.server(ServerRefusal(status: 400, code: "NO_SUCH_PROVIDER"))
    ) { try await user.unlink(.google) }
    #expect(bench.server.requests.count == sent)
  }

  @Test func `another user's credential isn't accepted as re-authentication`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let held = user.heldIDToken
    bench.server.on("accounts:signInWithIdp") { Answers.idp(uid: "bob", now: bench.clock.now) }
    await #expect(throws: ClientError.userMismatch) {
      try await user.reauthenticate(with: Self.google)
    }
    #expect(user.heldIDToken == held)
    #expect(bench.client.currentUser == user)
  }

  @Test(arguments: ["", "[]", "{}", #"{"idToken":"no.token","refreshToken":"r"}"#])
  func `an answer that can't be understood is reported as that`(text: String) async throws {
    let bench = try Bench()
    bench.server.on("accounts:signInWithIdp") { (_) throws(TransportFault) in
      TransportResponse(status: 200, headers: [:], body: Data(text.utf8))
    }
    await #expect {
      try await bench.signedIn()
    } throws: { error in
      guard case .badAnswer = error as? ClientError else { return false }
      return true
    }
    #expect(bench.client.state == .signedOut)
  }

  // MARK: A name that Apple tells once

  @Test func `Apple's name survives a lost answer and a restart`() async throws {
    let bench = try Bench()
    let token = TestToken.make(uid: "001.alice", now: bench.clock.now)
    bench.server.on("accounts:signInWithIdp", failing: .lost)
    let name = PersonName(givenName: "Zoë", familyName: "Li")
    _ = try? await bench.client.signIn(
      with: .apple(idToken: token, nonce: Nonce(), fullName: name))
    let later = try bench.otherProcess()
    bench.server.on("accounts:signInWithIdp") { Answers.idp(now: bench.clock.now) }
    let again = TestToken.make(uid: "001.alice", now: bench.clock.now)
    try await later.signIn(with: .apple(idToken: again, nonce: Nonce()))
    try await later.signIn(with: .apple(idToken: again, nonce: Nonce()))
    let sent = try bench.server.requests("accounts:signInWithIdp").map {
      let message = try $0.message(SignInWithIdpRequest.self)
      return PostBody(postBody: message.postBody, requestURI: nil).user?.firstName
    }
    #expect(sent == ["Zoë", "Zoë", nil])
  }
}
