import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct AccountListenerTests {
  private struct Scene {
    let clock = ManualClock()
    let scripted = ScriptedTransport()
    let server: StreamingServer
    let client: AuthClient
    let user: SignedInUser

    init() async throws {
      server = StreamingServer(scripted)
      client = AuthClient(
        configuration: try Bench.configuration(), store: MemoryStore(), transport: server,
        clock: clock)
      scripted.answerHappily(clock: clock)
      user = try await client.signIn(with: .apple(idToken: "apple-token", nonce: Nonce())).user
    }

    func hasStreams(_ count: Int) async throws -> Bool {
      try await eventually { server.requests.count == count }
    }

    /// How often the profile was read, or the token refreshed.
    func count(_ path: String) -> Int { scripted.requests(path).count }
  }

  @Test func `a stream is asked for with the ID token, in a header and not in the URL`()
    async throws
  {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let request = try #require(scene.server.requests.first)
    let token = try #require(scene.user.heldIDToken?.token)
    #expect(request.method == .get)
    #expect(request.headers["Authorization"] == "Bearer \(token)")
    #expect(request.headers["Last-Event-ID"] == nil)
    #expect(request.url.path == "/v1/accounts:watch")
    #expect(!request.url.absoluteString.contains(token))
    listening.cancel()
  }

  @Test func `a session that ended is asked about, and the answer signs the user out`()
    async throws
  {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    scene.server.event("ready", id: "evt_1")
    scene.scripted.on("v1/token", refusing: "USER_DISABLED")
    scene.server.event("signed_out")
    #expect(try await eventually { scene.client.currentUser == nil })
    #expect(try await eventually { scene.server.leftCount == 1 })
    listening.cancel()
  }

  enum Change: String, CaseIterable, Sendable {
    case password, email, linkedPassword

    var path: String { self == .linkedPassword ? "accounts:signUp" : "accounts:update" }

    func make(_ user: SignedInUser) async throws(ClientError) {
      switch self {
      case .password: try await user.update(password: "secret-2")
      case .email: try await user.update(email: "alice@example.org")
      case .linkedPassword:
        try await user.link(.password(email: "alice@example.com", password: "secret-2"))
      }
    }
  }

  @Test(arguments: Change.allCases, ["signed_out", "account.password_changed"])
  func `an event that comes before the response to a change of this device signs no user out`(
    _ change: Change, _ event: String
  ) async throws {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let (server, scripted, clock, user) = (scene.server, scene.scripted, scene.clock, scene.user)
    let (former, asked) = (user.refreshToken, scripted.requests.count)
    // From now on the former session has ended.
    scripted.on("v1/token") { (request) throws(TransportFault) in
      let sent = try? request.message(TokenRequest.self).refreshToken
      return sent == former
        ? ScriptedTransport.refusal("TOKEN_EXPIRED")
        : ScriptedTransport.ok(Answers.refreshed(now: clock.now))
    }
    let formerToken = user.heldIDToken?.token
    scripted.on("accounts:lookup") { (request) throws(TransportFault) in
      let sent = try? request.message(LookupRequest.self).idToken
      return sent == formerToken
        ? ScriptedTransport.refusal("TOKEN_EXPIRED")
        : ScriptedTransport.ok(LookupResponse(users: [Answers.alice()]))
    }
    scripted.on(change.path) { (_) throws(TransportFault) in
      server.event(event)
      // The listener waits, or has asked: the change itself is the first request.
      _ = try? await eventually {
        user.callersWaitingForSession == 1 || scripted.requests.count > asked + 1
      }
      let tokens = Answers.tokens(now: clock.now)
      return change == .linkedPassword
        ? ScriptedTransport.ok(tokens)
        : ScriptedTransport.ok(UpdateResponse(user: Answers.alice(), tokens: tokens))
    }
    try await change.make(user)
    #expect(user.refreshToken != former)
    #expect(scene.client.currentUser == user)
    // The change, its look-up, and what the event asks for.
    #expect(try await eventually { scripted.requests.count == asked + 3 })
    #expect(scene.client.currentUser == user)
    listening.cancel()
  }

  @Test(arguments: ["signed_out", "account.deleted", "account.disabled", "account.tokens_revoked"])
  func `a forged event signs nobody out`(_ type: String) async throws {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let refreshed = scene.count("v1/token")
    scene.server.event(type)
    #expect(try await eventually { scene.count("v1/token") == refreshed + 1 })
    #expect(scene.client.currentUser == scene.user)
    listening.cancel()
  }

  @Test func `a changed profile is read again, once for several events`() async throws {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let read = scene.count("accounts:lookup")
    scene.server.write(
      "event: account.profile_changed\ndata: {}\n\nevent: account.linked\ndata: {}\n\n")
    #expect(try await eventually { scene.count("accounts:lookup") == read + 1 })
    listening.cancel()
  }

  @Test func `a few events ask at once, and many ask five times in five seconds`() async throws {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let read = scene.count("accounts:lookup")
    for number in 1...5 {
      scene.server.event("account.profile_changed", id: "evt_\(number)")
      #expect(try await eventually { scene.count("accounts:lookup") == read + number })
    }
    #expect(scene.clock.slept.isEmpty)
    scene.server.event("account.profile_changed", id: "evt_6")
    // On a machine so slow that five seconds are over, it doesn't wait.
    #expect(
      try await eventually {
        scene.clock.sleeperCount == 1 || scene.count("accounts:lookup") == read + 6
      })
    scene.clock.advance(seconds: 5)
    #expect(try await eventually { scene.count("accounts:lookup") == read + 6 })
    listening.cancel()
  }

  @Test func `the next stream is resumed, and without an id everything is read again`()
    async throws
  {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    scene.server.event("ready", id: "evt_7")
    scene.server.end()
    #expect(try await eventually { scene.clock.sleeperCount == 1 })
    scene.clock.advance(seconds: 2)
    #expect(try await scene.hasStreams(2))
    #expect(scene.server.requests.last?.headers["Last-Event-ID"] == "evt_7")
    let read = scene.count("accounts:lookup")
    scene.server.write("id:\nevent: ready\ndata: {}\n\n")
    scene.server.end()
    #expect(try await eventually { scene.clock.sleeperCount == 1 })
    #expect(scene.count("accounts:lookup") == read)
    scene.clock.advance(seconds: 10)
    #expect(try await scene.hasStreams(3))
    scene.server.event("ready", id: "evt_9")
    #expect(try await eventually { scene.count("accounts:lookup") == read + 1 })
    listening.cancel()
  }

  @Test(arguments: [(404, 1800.0), (403, 1800), (405, 1800), (302, 1800), (503, 0.5)])
  func `an answer that is no stream causes no quick loop`(
    _ status: Int, _ shortestPause: Double
  ) async throws {
    let scene = try await Scene()
    scene.server.refuse(status, "<html>")
    let listening = scene.client.listenForChanges()
    #expect(try await eventually { scene.clock.sleeperCount == 1 })
    #expect(scene.server.requests.count == 1)
    #expect(try #require(scene.clock.slept.last) >= shortestPause)
    #expect(scene.client.currentUser == scene.user)
    listening.cancel()
    #expect(try await eventually { scene.clock.sleeperCount == 0 })
  }

  @Test func `a refused token is refreshed, and the user stays signed in if that works`()
    async throws
  {
    let scene = try await Scene()
    scene.server.refuse(
      400, String(decoding: ErrorBody(code: 400, message: "TOKEN_EXPIRED").json(), as: UTF8.self))
    let refreshed = scene.count("v1/token")
    let listening = scene.client.listenForChanges()
    #expect(try await eventually { scene.clock.sleeperCount == 1 })
    #expect(scene.count("v1/token") == refreshed + 1)
    #expect(scene.client.currentUser == scene.user)
    listening.cancel()
  }

  @Test func `a sign-out ends the stream, and the next user has another one`() async throws {
    let scene = try await Scene()
    let listening = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    try scene.client.signOut()
    #expect(try await eventually { scene.server.leftCount == 1 })
    _ = try await scene.client.signIn(with: .apple(idToken: "apple-token-2", nonce: Nonce()))
    #expect(try await scene.hasStreams(2))
    listening.cancel()
    #expect(try await eventually { scene.server.leftCount == 2 })
  }

  @Test func `the client listens once, until nobody wants it any more`() async throws {
    let scene = try await Scene()
    let first = scene.client.listenForChanges()
    #expect(try await scene.hasStreams(1))
    let second = scene.client.listenForChanges()
    first.cancel()
    first.cancel()
    scene.server.event("ready", id: "evt_1")
    #expect(scene.server.requests.count == 1)
    #expect(scene.server.leftCount == 0)
    second.cancel()
    #expect(try await eventually { scene.server.leftCount == 1 })
  }

  @Test func `listening ends with the client`() async throws {
    var scene: Scene? = try await Scene()
    let listening = scene?.client.listenForChanges()
    #expect(try await scene?.hasStreams(1) == true)
    let server = scene?.server
    scene = nil
    #expect(try await eventually { server?.leftCount == 1 })
    listening?.cancel()
  }
}
