import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// A user of the app's version with Google's SDK updates the app.
@Suite struct FirebaseSessionTests {
  @Test func `the user is signed in at launch, with the profile and without a request`() throws {
    let device = try Device()
    let user = try #require(try device.launch().currentUser)
    #expect(user.uid == "alice")
    #expect(user.snapshot.email == "alice@example.com")
    #expect(user.snapshot.providers.map(\.uid) == ["google-alice"])
    #expect(device.server.requests.isEmpty)
    // Google's tokens go to nobody else.
    #expect(user.heldIDToken == nil)
    #expect(user.refreshToken == nil)
  }

  @Test func `the token that Google's SDK held is traded when one is first needed`() async throws {
    let device = try Device()
    let client = try device.launch()
    let user = try #require(client.currentUser)
    let token = try await user.idToken()
    #expect(token.token == user.heldIDToken?.token)
    #expect(device.traded == [device.heldToken])
    #expect(device.askedGoogle == 0)
    #expect(device.items.isEmpty)
    // From now on the session is one of the server.
    _ = try await user.idToken(forcingRefresh: true)
    #expect(device.server.requests("v1/token").map { $0.url.host } == ["auth.example.com"])
    let relaunched = try device.launch()
    #expect(relaunched.currentUser?.refreshToken == user.refreshToken)
  }

  @Test func `if it has expired, Google issues another one`() async throws {
    let device = try Device()
    device.clock.advance(seconds: 3600)
    let user = try #require(try device.launch().currentUser)
    _ = try await user.idToken()
    #expect(device.askedGoogle == 1)
    #expect(device.traded == ["fresh 1"])
    let request = try #require(device.server.requests("v1/token").first)
    #expect(request.url.query == "key=old-key")
    let body = try JSONObject(parsing: [UInt8](request.body ?? Data()))
    #expect(body["refreshToken"] == "google-refresh")
  }

  @Test(arguments: [
    "MISSING_OR_INVALID_NONCE : Duplicate credential received.", "TOKEN_EXPIRED",
    "INVALID_ID_TOKEN",
  ])
  func `if the server refuses the held token, another one of Google is traded`(refusal: String)
    async throws
  {
    let device = try Device()
    device.refuseTrades(with: [refusal])
    let user = try #require(try device.launch().currentUser)
    _ = try await user.idToken()
    #expect(device.traded == [device.heldToken, "fresh 1"])
    #expect(user.heldIDToken != nil)
  }

  @Test func `a token of Google that another process used is replaced a second later`() async throws
  {
    let device = try Device()
    let used = "MISSING_OR_INVALID_NONCE"
    device.refuseTrades(with: [used, used])
    let user = try #require(try device.launch().currentUser)
    let before = device.clock.now
    _ = try await user.idToken()
    #expect(device.traded == [device.heldToken, "fresh 1", "fresh 2"])
    #expect(device.clock.now.timeIntervalSince(before) >= 1)
  }

  @Test func `offline the user stays signed in, and the session is traded later`() async throws {
    let device = try Device()
    device.server.on("signInWithFirebaseToken", failing: .offline)
    let client = try device.launch()
    let user = try #require(client.currentUser)
    await #expect(throws: ClientError.network(NetworkFault(.offline, detail: "scripted"))) {
      try await user.idToken()
    }
    #expect(client.currentUser === user)
    #expect(!device.items.isEmpty)
    device.refuseTrades(with: [])
    // In another launch, too.
    _ = try await #require(try device.launch().currentUser).idToken()
    #expect(device.items.isEmpty)
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", SessionEnd.revoked), ("USER_DISABLED", .disabled),
    ("USER_NOT_FOUND", .deleted),
    ("INVALID_REFRESH_TOKEN", .invalid),
  ])
  func `a session that ended at Google ends here`(refusal: String, end: SessionEnd) async throws {
    let device = try Device()
    device.clock.advance(seconds: 3600)
    device.server.on("v1/token", refusing: refusal)
    try await device.expectEnd(end)
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", SessionEnd.revoked), ("USER_DISABLED", .disabled),
    ("USER_NOT_FOUND", .deleted),
  ])
  func `a session for which the server has no account ends`(refusal: String, end: SessionEnd)
    async throws
  {
    let device = try Device()
    device.refuseTrades(with: [refusal, refusal])
    try await device.expectEnd(end)
  }

  @Test(arguments: ["OPERATION_NOT_ALLOWED", "INVALID_ID_TOKEN", "ADMIN_ONLY_OPERATION"])
  func `a wrong configuration of the server signs nobody out`(refusal: String) async throws {
    let device = try Device()
    device.refuseTrades(with: [refusal, refusal])
    let client = try device.launch()
    let user = try #require(client.currentUser)
    await #expect(throws: ClientError.self) { try await user.idToken() }
    #expect(client.currentUser === user)
    #expect(!device.items.isEmpty)
    device.refuseTrades(with: [])
    _ = try await user.idToken()
  }

  @Test(arguments: [false, true])
  func `who signs out stays signed out`(isTraded: Bool) async throws {
    let device = try Device()
    let client = try device.launch()
    if isTraded { _ = try await #require(client.currentUser).idToken() }
    try client.signOut()
    #expect(device.items.isEmpty)
    #expect(try device.launch().state == .signedOut)
  }

  @Test func `who signs out although the item can't be removed stays signed in`() async throws {
    let device = try Device()
    let client = try device.launch()
    #expect(client.currentUser != nil)
    device.items.fault = StoreFault(.locked, detail: "made up")
    #expect(throws: ClientError.store(StoreFault(.locked, detail: "made up"))) {
      try client.signOut()
    }
    #expect(client.currentUser != nil)
  }

  @Test func `another user who signs in replaces the session at Firebase`() async throws {
    let device = try Device()
    let client = try device.launch()
    device.server.on("accounts:signInWithIdp") { Answers.idp(uid: "bob", now: device.clock.now) }
    device.server.on("accounts:lookup") { LookupResponse(users: [UserInfo(localID: "bob")]) }
    _ = try await client.signIn(with: .apple(idToken: "apple-token", nonce: Nonce()))
    #expect(device.items.isEmpty)
    try client.signOut()
    #expect(try device.launch().state == .signedOut)
  }

  @Test func `while the keychain is locked, it isn't known whether there is a user`() throws {
    let device = try Device()
    device.items.fault = StoreFault(.locked, detail: "made up")
    let client = try device.launch()
    #expect(client.state == .loading)
    device.items.fault = nil
    #expect(try client.load().user?.uid == "alice")
  }

  @Test(arguments: ["not an archive", LeftByGoogle.archive(uid: "alice", idToken: "not a token")])
  func `an item that can't be read signs nobody in, and stays`(archive: String) throws {
    let device = try Device()
    device.items.archive = Data(archive.utf8)
    let client = try device.launch()
    #expect(client.state == .signedOut)
    #expect(client.storeFault?.kind == .damaged)
    #expect(!device.items.isEmpty)
  }

  @Test func `a token of another user signs nobody in`() throws {
    let device = try Device()
    device.items.archive = Data(LeftByGoogle.archive(uid: "bob", idToken: device.heldToken).utf8)
    #expect(try device.launch().state == .signedOut)
  }

  @Test func `a user of the server comes before one of Firebase`() async throws {
    let device = try Device()
    let bench = try Bench(store: device.store, clock: device.clock)
    try await bench.signedIn()
    let user = try #require(try device.launch().currentUser)
    #expect(user.heldIDToken != nil)
  }

  @Test func `two processes that trade at once have one session`() async throws {
    let device = try Device()
    let (app, widget) = (try device.launch(), try device.launch())
    let (first, second) = (try #require(app.currentUser), try #require(widget.currentUser))
    // Firebase's token works once.
    device.refuseTrades(with: [nil, "MISSING_OR_INVALID_NONCE"])
    async let one = first.idToken()
    async let two = second.idToken()
    _ = try await (one, two)
    let stored = try device.launch().currentUser?.refreshToken
    #expect(stored != nil && stored?.hasPrefix("refresh-alice") == true)
    // Whoever has older tokens takes over the stored ones with the next refresh.
    _ = try await first.idToken(forcingRefresh: true)
    _ = try await second.idToken(forcingRefresh: true)
    #expect(first.refreshToken != nil && second.refreshToken != nil)
  }

  @Test func `an app without Google's SDK looks for nothing`() throws {
    let device = try Device()
    #expect(try device.launch(isFormerApp: false).state == .signedOut)
  }
}

/// A device on which Google's SDK left Alice signed in, and the server to which the app moved.
private struct Device {
  let clock = ManualClock(isImpatient: true)
  let store = MemoryStore()
  let server = ScriptedTransport()
  let items: LeftByGoogle
  let heldToken: String
  private let counts = Locked((asked: 0, refusals: [String?]()))

  init() throws {
    heldToken = TestToken.make(now: clock.now, provider: "google.com")
    items = LeftByGoogle(uid: "alice", idToken: heldToken)
    refuseTrades(with: [])
    let (clock, counts) = (clock, counts)
    server.on("v1/token") { (request) throws(TransportFault) in
      guard request.url.host == "securetoken.googleapis.com" else {
        return ScriptedTransport.ok(Answers.refreshed(now: clock.now))
      }
      let asked = counts.withLock { counts in
        counts.asked += 1
        return counts.asked
      }
      return ScriptedTransport.ok(
        TokenResponse(
          idToken: TestToken.make(
            now: clock.now, provider: "google.com",
            claims: [.init(name: "fresh", value: .string("fresh \(asked)"))]),
          refreshToken: "google-refresh", expiresInSeconds: 3600, userID: "alice",
          projectNumber: "1"))
    }
  }

  func launch(isFormerApp: Bool = true) throws -> AuthClient {
    var configuration = try Bench.configuration()
    configuration.formerFirebaseApp =
      isFormerApp ? FormerFirebaseApp(googleAppID: "1:2:ios:3", apiKey: "unused") : nil
    return AuthClient(
      configuration: configuration, store: store, transport: server, clock: clock,
      notifications: nil, firebaseItems: items)
  }

  /// The next trades are refused with these errors; nil: one succeeds. Later ones succeed.
  func refuseTrades(with refusals: [String?]) {
    counts.withLock { $0.refusals = refusals }
    let (clock, counts) = (clock, counts)
    server.on("signInWithFirebaseToken") { (_) throws(TransportFault) in
      let refusal = counts.withLock { $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }
      if let refusal { return ScriptedTransport.refusal(refusal) }
      return ScriptedTransport.ok(
        SignInWithCustomTokenResponse(
          isNewUser: false, tokens: Answers.tokens(now: clock.now, provider: "google.com")))
    }
  }

  var askedGoogle: Int { counts.withLock(\.asked) }

  /// The tokens that the server got: the held one, or the name of a fresh one.
  var traded: [String] {
    server.requests("signInWithFirebaseToken").compactMap { request in
      let body = try? JSONObject(parsing: [UInt8](request.body ?? Data()))
      guard let token = body?["token"]?.string else { return nil }
      return (try? IDToken(parsing: token))?.claims["fresh"]?.string ?? token
    }
  }

  func expectEnd(_ end: SessionEnd) async throws {
    let client = try launch()
    let user = try #require(client.currentUser)
    await #expect(throws: ClientError.sessionEnded(end)) { try await user.idToken() }
    #expect(client.state == .signedOut)
    #expect(items.isEmpty)
    #expect(try launch().state == .signedOut)
  }
}
