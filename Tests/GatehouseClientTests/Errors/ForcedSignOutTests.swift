import GatehouseClient
import GatehouseProtocol
import Testing

/// Which refusals of which calls end the session, and which don't.
@Suite struct ForcedSignOutTests {
  enum Call: String, CaseIterable {
    case reload, link, linkPassword, unlink, profile, password, verification, revoke, nonce, delete

    var path: String {
      switch self {
      case .reload: "accounts:lookup"
      case .link: "accounts:signInWithIdp"
      case .linkPassword: "accounts:signUp"
      case .unlink, .profile, .password: "accounts:update"
      case .verification: "accounts:sendOobCode"
      case .revoke: "accounts:revokeToken"
      case .nonce: "v1/nonces"
      case .delete: "accounts:delete"
      }
    }

    func make(_ user: SignedInUser) async throws(ClientError) {
      switch self {
      case .reload: try await user.reload()
      case .link: try await user.link(.google(idToken: "t"))
      case .linkPassword: try await user.link(.password(email: "a@example.com", password: "p"))
      case .unlink: try await user.unlink(.apple)
      case .profile:
        var change = ProfileChange()
        change.displayName = .set("A")
        try await user.update(profile: change)
      case .password: try await user.update(password: "secret")
      case .verification: try await user.sendEmailVerification()
      case .revoke: try await user.revokeApple(authorizationCode: "c")
      case .nonce: _ = try await user.issueNonce()
      case .delete: try await user.delete()
      }
    }
  }

  @Test(
    arguments: Call.allCases,
    [
      ("TOKEN_EXPIRED", SessionEnd.revoked), ("USER_DISABLED", .disabled),
      ("USER_NOT_FOUND", .deleted), ("INVALID_ID_TOKEN", .invalid),
    ])
  func `the server's refusal ends the session`(call: Call, refusal: (String, SessionEnd))
    async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let witness = Witness()
    let observation = witness.watch(bench.client)
    bench.server.on(call.path, refusing: refusal.0)
    await #expect(throws: ClientError.sessionEnded(refusal.1)) { try await call.make(user) }
    #expect(bench.client.state == .signedOut)
    #expect(witness.changes.last?.cause == .sessionEnded(refusal.1))
    #expect(try bench.otherProcess().load() == .signedOut)
    observation.cancel()
  }

  @Test(arguments: Call.allCases, ["OPERATION_NOT_ALLOWED", "SOMETHING_NEW"])
  func `another refusal doesn't end the session`(call: Call, code: String) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on(call.path, refusing: "\(code) : Why: so.")
    await #expect(
      throws: ClientError.server(ServerRefusal(status: 400, code: code, detail: "Why: so."))
    ) { try await call.make(user) }
    #expect(bench.client.currentUser == user)
  }

  @Test(arguments: Call.allCases)
  func `a network failure doesn't end the session`(call: Call) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on(call.path, failing: .offline)
    await #expect(throws: ClientError.network(NetworkFault(.offline, detail: "scripted"))) {
      try await call.make(user)
    }
    #expect(bench.client.currentUser == user)
  }

  @Test(arguments: Call.allCases)
  func `a 5xx answer is a network fault`(call: Call) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on(call.path, refusing: "INTERNAL", status: 503)
    await #expect {
      try await call.make(user)
    } throws: { error in
      guard case .network(let fault) = error as? ClientError else { return false }
      return fault.kind == .serverUnavailable
    }
    #expect(bench.client.currentUser == user)
  }

  @Test func `a re-authentication with an unknown credential doesn't end the session`() async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp", refusing: "USER_NOT_FOUND")
    await #expect(throws: ClientError.userMismatch) {
      try await user.reauthenticate(with: .google(idToken: "t"))
    }
    #expect(bench.client.currentUser == user)
  }

  @Test func `a call whose token was replaced meanwhile is repeated with the new one`() async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.clock.advance(seconds: 60)
    let old = try #require(user.heldIDToken).token
    bench.server.on("accounts:lookup") { (request) throws(TransportFault) in
      guard try Self.idToken(request) == old else {
        return ScriptedTransport.ok(LookupResponse(users: [Answers.alice(displayName: "Alicia")]))
      }
      do { _ = try await user.idToken(forcingRefresh: true) } catch { throw .cancelled }
      return ScriptedTransport.refusal("TOKEN_EXPIRED")
    }
    try await user.reload()
    #expect(user.snapshot.displayName == "Alicia")
    #expect(bench.client.currentUser == user)
  }

  private static func idToken(_ request: TransportRequest) throws(TransportFault) -> String? {
    do { return try request.message(LookupRequest.self).idToken } catch { throw .cancelled }
  }

  @Test func `the end of an earlier session doesn't end the next`() async throws {
    let bench = try Bench()
    let earlier = try await bench.signedIn()
    let user = try await bench.signedIn()
    bench.server.on("accounts:lookup", refusing: "USER_DISABLED")
    await #expect(throws: ClientError.sessionEnded(.disabled)) { try await earlier.reload() }
    #expect(bench.client.currentUser == user)
  }

  @Test func `an account that is missing after a lost answer was deleted`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on(
      "accounts:delete",
      inTurn: [
        ScriptedTransport.lost,
        ScriptedTransport.refusing("USER_NOT_FOUND"),
      ])
    try await user.delete()
    #expect(bench.client.state == .signedOut)
  }

  @Test(arguments: ["alice", "bob"])
  func `a deletion by an earlier object of the user ends the next session of the same user`(
    next uid: String
  ) async throws {
    let bench = try Bench()
    let earlier = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp") { Answers.idp(uid: uid, now: bench.clock.now) }
    bench.server.on("accounts:lookup") { LookupResponse(users: [UserInfo(localID: uid)]) }
    let user = try await bench.signedIn()
    #expect(user != earlier)
    bench.server.on(
      "accounts:delete",
      inTurn: [ScriptedTransport.lost, ScriptedTransport.refusing("USER_NOT_FOUND")])
    try await earlier.delete()
    #expect(bench.client.currentUser == (uid == "alice" ? nil : user))
    #expect(try bench.otherProcess().currentUser?.uid == (uid == "alice" ? nil : uid))
  }

  @Test(arguments: [("USER_NOT_FOUND", nil), ("USER_DISABLED", "Zoë")] as [(String, String?)])
  func `the name that Apple told is removed if the account turns out to be deleted`(
    refusal: String, sent: String?
  ) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("accounts:signInWithIdp", failing: .lost)
    _ = try? await user.reauthenticate(
      with: .apple(
        idToken: TestToken.make(uid: "001.alice", now: bench.clock.now), nonce: Nonce(),
        fullName: PersonName(givenName: "Zoë", familyName: "Li")))
    bench.server.on("accounts:delete", failing: .offline)
    await #expect(throws: ClientError.network(NetworkFault(.offline, detail: "scripted"))) {
      try await user.delete()
    }
    bench.server.on("accounts:delete", refusing: refusal)
    await #expect(throws: ClientError.self) { try await user.delete() }
    #expect(bench.client.state == .signedOut)

    bench.server.on("accounts:signInWithIdp") { Answers.idp(now: bench.clock.now) }
    try await bench.client.signIn(
      with: .apple(
        idToken: TestToken.make(uid: "001.alice", now: bench.clock.now), nonce: Nonce()))
    let message = try #require(bench.server.requests("accounts:signInWithIdp").last)
      .message(SignInWithIdpRequest.self)
    let name = PostBody(postBody: message.postBody, requestURI: nil).user?.firstName
    #expect(name == sent)
  }
}
