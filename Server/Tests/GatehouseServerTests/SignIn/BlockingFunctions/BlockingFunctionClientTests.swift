import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Logging
import Synchronization
import Testing

/// One call of a function: what it gets, and what becomes of a call that fails.
@Suite struct BlockingFunctionClientTests {
  /// A function in memory, which keeps the requests.
  private final class Function: OutboundTransport {
    private let result: Result<OutboundResponse, OutboundError>
    private let received = Mutex<[OutboundRequest]>([])
    /// Whether it answers only when it is let go.
    private let gate: Gate?

    init(_ result: Result<OutboundResponse, OutboundError>, gate: Gate? = nil) {
      self.result = result
      self.gate = gate
    }

    var requests: [OutboundRequest] { received.withLock { $0 } }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
      received.withLock { $0.append(request) }
      await gate?.pass()
      return try result.get()
    }

    static func answering(_ body: String, status: Int = 200, gate: Gate? = nil) -> Function {
      Function(.success(OutboundResponse(status: status, body: Array(body.utf8))), gate: gate)
    }
  }

  /// Lets nobody pass until it is opened.
  private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func pass() async { for await _ in stream {} }
  }

  private struct Keys: TokenKeys {
    static let key = Result { try RSASigningKey.generate() }
    private let rs256: TokenWriter
    let keySet: KeySet

    func writer(_ algorithm: TokenAlgorithm) -> TokenWriter { rs256 }

    init() throws {
      let key = try Self.key.get()
      rs256 = TokenWriter(signer: RS256Signer(key: key))
      keySet = try KeySet(jwks: PublicJWK.keySet([try key.publicJWK()]))
    }
  }

  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func project(
    _ trigger: BlockingFunction.Trigger = .beforeSignIn,
    url: String = "https://functions.example.com/f"
  ) throws -> Project {
    var project = Project(
      id: try #require(ProjectID("my-app")), number: 1,
      issuer: "https://auth.example.com/my-app", authorizedDomains: [],
      policies: ProjectPolicies())
    _ = project.blockingFunctions.set(trigger, url: url, now: Self.now)
    return project
  }

  private func question(
    _ trigger: BlockingFunction.Trigger = .beforeSignIn, identity: ExternalIdentity? = nil,
    source: EventSource = EventSource()
  ) throws -> BlockingQuestion {
    var account = Account(uid: try #require(UID("ann")), createdAt: Self.now)
    account.email = EmailAddress("ann@example.com")
    account.displayName = "Ann"
    account.customClaims = try CustomClaims(jsonText: #"{"role":"x"}"#)
    if let identity {
      account.identities.append(
        LinkedIdentity(
          provider: identity.provider, subject: identity.subject, linkedAt: Self.now))
    }
    return BlockingQuestion(
      trigger, about: account,
      context: BlockingContext(
        method: "google.com", client: .unknown, language: "de",
        identity: identity, source: source))
  }

  private func client(
    _ function: Function, callsPerProject: Int = 4, counts: Counts = Counts()
  ) throws -> BlockingFunctionClient {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return BlockingFunctionClient(
      transport: function, codec: BlockingFunctionCodec(keys: try Keys()), logger: logger,
      callsPerProject: callsPerProject
    ) { counts.add("\($0.rawValue) \($1.rawValue)") }
  }

  private final class Counts: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  private func ask(
    _ function: Function, _ question: BlockingQuestion, of project: Project,
    counts: Counts = Counts()
  ) async throws -> BlockingOutcome {
    try await client(function, counts: counts).ask(
      try #require(project.blockingFunctions[question.trigger]), question, in: project,
      now: Self.now)
  }

  private func token(_ request: OutboundRequest) throws -> String {
    let body = try JSONValue(parsing: try #require(request.content).bytes.reveal())
    return try #require(body["data"]?["jwt"]?.string)
  }

  private func part(_ index: Int, of token: String) throws -> JSONValue {
    let parts = token.split(separator: ".").map(String.init)
    return try JSONValue(parsing: try #require(Base64URL.decode(parts[index])))
  }

  @Test func `the question is a token in Firebase's form`() async throws {
    let function = Function.answering("{}")
    let project = try project()
    _ = try await ask(
      function,
      question(source: EventSource(address: "192.0.2.0/24", userAgent: "App/1")), of: project)
    let request = try #require(function.requests.first)
    #expect(request.url.text == "https://functions.example.com/f")
    #expect(request.content?.type == "application/json")
    #expect(request.project == project.id)
    let token = try token(request)
    #expect(try part(0, of: token)["typ"] == "blocking-function+jwt")
    let claims = try part(1, of: token)
    #expect(claims["iss"] == "https://auth.example.com/my-app")
    #expect(claims["aud"] == "https://functions.example.com/f")
    #expect(claims["sub"] == "ann")
    #expect(claims["iat"] == 1_800_000_000)
    #expect(claims["exp"] == 1_800_000_060)
    #expect(claims["event_type"] == "beforeSignIn")
    #expect(claims["sign_in_method"] == "google.com")
    #expect(claims["locale"] == "de")
    #expect(claims["ip_address"] == "192.0.2.0/24")
    #expect(claims["user_agent"] == "App/1")
    #expect(
      claims["user_record"] == [
        "uid": "ann", "email": "ann@example.com", "email_verified": false, "display_name": "Ann",
        "disabled": false, "metadata": ["creation_time": 1_800_000_000_000],
        "tokens_valid_after_time": 1_800_000_000, "custom_claims": ["role": "x"],
        "provider_data": [],
      ])
    #expect(claims["oauth_id_token"] == nil)
  }

  @Test func `for a user without an address, claims and language, these are left out or unknown`()
    async throws
  {
    let account = Account(uid: try #require(UID("ann")), createdAt: Self.now)
    let bare = BlockingQuestion(
      .beforeSignIn, about: account,
      context: BlockingContext(method: "anonymous", client: .unknown, source: EventSource()))
    let function = Function.answering("{}")
    _ = try await ask(function, bare, of: try project())
    let claims = try part(1, of: try token(try #require(function.requests.first)))
    #expect(claims["locale"] == "und")
    #expect(
      claims["user_record"] == [
        "uid": "ann", "disabled": false,
        "metadata": ["creation_time": 1_800_000_000_000],
        "tokens_valid_after_time": 1_800_000_000, "provider_data": [],
      ])
  }

  @Test func `an address that isn't stored isn't sent`() async throws {
    let function = Function.answering("{}")
    _ = try await ask(function, question(), of: try project())
    let claims = try part(1, of: try token(try #require(function.requests.first)))
    #expect(claims["ip_address"] == nil)
    #expect(claims["user_agent"] == nil)
  }

  @Test(
    arguments: [
      ([], []), (ForwardedCredentials.idToken, ["oauth_id_token"]),
      (.accessToken, ["oauth_access_token"]), (.refreshToken, ["oauth_refresh_token"]),
    ] as [(ForwardedCredentials, [String])])
  func `a provider's tokens are sent only if the operator says so`(
    _ forwarded: ForwardedCredentials, _ names: [String]
  ) async throws {
    var identity = ExternalIdentity(
      provider: .google, subject: try #require(Subject("g-1")), rawUserInfo: #"{"hd":"x"}"#)
    identity.tokens = .init(
      idToken: Secret("i"), accessToken: Secret("a"), refreshToken: Secret("r"))
    var project = try project()
    project.blockingFunctions.forwarded = forwarded
    let function = Function.answering("{}")
    _ = try await ask(function, question(identity: identity), of: project)
    let claims = try part(1, of: try token(try #require(function.requests.first)))
    let sent = ["oauth_id_token", "oauth_access_token", "oauth_refresh_token"].filter {
      claims[$0] != nil
    }
    #expect(sent == names)
    #expect(claims["raw_user_info"] == #"{"hd":"x"}"#)
    #expect(
      claims["user_record"]?["provider_data"] == [["provider_id": "google.com", "uid": "g-1"]])
  }

  @Test func `every request is signed with each secret of the function`() async throws {
    var project = try project()
    let old = try #require(project.blockingFunctions.beforeSignIn?.secrets.first)
    let created = project.blockingFunctions.set(
      .beforeSignIn, url: "https://functions.example.com/f", rotatesSecret: true, now: Self.now)
    let new = try #require(created)
    let function = Function.answering("{}")
    _ = try await ask(function, question(), of: project)
    let request = try #require(function.requests.first)
    let content = try #require(request.content)
    let headers = Dictionary(
      content.headers.map { ($0.name, $0.value.reveal()) }, uniquingKeysWith: { $1 })
    let id = try #require(headers["webhook-id"])
    #expect(try part(1, of: try token(request))["event_id"] == .string(id))
    #expect(headers["webhook-timestamp"] == "1800000000")
    let signed = Data("\(id).1800000000.".utf8) + Data(content.bytes.reveal())
    let expected = [new, old].map { secret in
      "v1,"
        + Data(
          HMAC<SHA256>.authenticationCode(
            for: signed, using: SymmetricKey(data: Data(secret.bytes.reveal())))
        ).base64EncodedString()
    }
    #expect(headers["webhook-signature"] == expected.joined(separator: " "))
  }

  @Test(
    arguments: [
      (.success(OutboundResponse(status: 200, body: Array("{}".utf8))), "allowed"),
      (
        .success(
          OutboundResponse(
            status: 403, body: Array(#"{"error":{"message":"no","status":"X"}}"#.utf8))),
        "refused"
      ),
      (.success(OutboundResponse(status: 500, body: [])), "failed"),
      (.success(OutboundResponse(status: 200, body: Array("garbage".utf8))), "failed"),
      (.failure(.timedOut(host: "functions.example.com")), "failed"),
      (.failure(.notConnected(host: "functions.example.com")), "failed"),
      (.failure(.tooLarge(host: "functions.example.com", limitBytes: 1)), "failed"),
    ] as [(Result<OutboundResponse, OutboundError>, String)])
  func `each outcome is counted once`(
    _ result: Result<OutboundResponse, OutboundError>, _ name: String
  ) async throws {
    let counts = Counts()
    let outcome = try await ask(Function(result), question(), of: try project(), counts: counts)
    let outcomeName =
      switch outcome {
      case .allowed: "allowed"
      case .refused: "refused"
      case .failed: "failed"
      }
    #expect(outcomeName == name)
    #expect(counts.all == ["beforeSignIn \(name)"])
  }

  @Test func `calls beyond the project's limit fail at once, and other projects' don't`()
    async throws
  {
    let gate = Gate()
    let hanging = Function.answering("{}", gate: gate)
    let client = try client(hanging, callsPerProject: 2)
    let project = try project()
    var other = Project(
      id: try #require(ProjectID("other-app")), number: 2, issuer: "https://auth.example.com/o",
      authorizedDomains: [], policies: ProjectPolicies())
    other.blockingFunctions = project.blockingFunctions
    let function = try #require(project.blockingFunctions.beforeSignIn)
    let question = try question()
    let otherProject = other
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for asked in [project, project, otherProject] {
        group.addTask {
          if case .allowed = await client.ask(function, question, in: asked, now: Self.now) {
            true
          } else {
            false
          }
        }
      }
      while hanging.requests.count < 3 { await Task.yield() }
      await #expect(throws: BlockingFunctionFault.tooManyCalls) {
        try await client.answer(of: function, to: question, in: project, now: Self.now)
      }
      #expect(hanging.requests.count == 3)
      gate.open()
      for try await isAllowed in group { #expect(isAllowed) }
    }
    _ = try await client.answer(of: function, to: question, in: project, now: Self.now)
  }
}
