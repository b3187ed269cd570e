import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Synchronization
import TestStores
import Testing

/// The API with its own database, with providers in memory and a clock that stands still.
struct TestServer: Sendable {
  static let start = Date(timeIntervalSince1970: 1_780_000_000)
  static let project = "demo"
  /// The proxy whose `X-Forwarded-For` is trusted.
  static let proxy = "10.0.0.1"

  let providers = FakeProviders()
  let clock = TestClock()
  /// Failures of the database.
  let failures = TestFailures()
  let store: any Store
  private(set) var services: APIServices
  /// Answers for the blocking functions of projects that have any.
  let functions = TestFunctions()
  let configuration: APIConfiguration
  private var application: Application<CallbackResponder<APIRequestContext>>

  enum Mode {
    case development, production
  }

  /// Runs `body` with a server, and removes its folder afterwards.
  static func with(
    _ mode: Mode = .development, publicURL: String = "https://auth.example.com/",
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-api-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await TestServer(mode, publicURL, folder)
    try await body(server)
    await server.store.close()
  }

  private init(_ mode: Mode, _ publicURL: String, _ folder: URL) async throws {
    let master = try #require(MasterKey(Array(repeating: 7, count: MasterKey.byteCount)))
    let store = try TestStore.open(at: folder, sealing: SecretBox(master))
    self.store = store
    let keys = try await Self.open(
      .idTokens, .idTokens, with: SharedKeys.signing.get(), in: store)
    let cookieKeys = try await Self.open(
      .sessionCookies, .sessionCookies, with: SharedKeys.cookies.get(), in: store)
    var options = FederationOptions()
    options.allowsPlainHTTP = true
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let defaultProject = try #require(ProjectID(Self.project))
    let development = DevelopmentProjects(defaultProject: defaultProject) { Self.project($0) }
    let quiet = logger
    var services = APIServices(
      accounts: AccountsService(
        store: InterruptedStore(store) { [failures] _ in try failures.check() },
        sessions: SessionIssuer(
          idTokenKeys: keys, cookieKeys: cookieKeys, refreshTokens: RefreshTokenCodec(master)),
        pendingTokens: PendingTokenCodec(master), nonces: NonceCodec(master),
        browserSignIns: BrowserSignInCodec(master),
        passwords: ScryptHasher(
          .development, threads: 1,
          imported: ImportedPasswords(store: store, bcrypt: NoBcrypt())),
        actionCodes: mode == .development
          ? ActionCodeIssuer(display: NoDisplay(), keepsLinks: true) : ActionCodeIssuer(),
        phoneCodes: PhoneCodeIssuer(
          delivery: NoTelephone(worksWithoutWebhook: mode == .development),
          keepsCodes: mode == .development),
        blockingFunctions: functions),
      projects: ProjectDirectory(
        store: store, development: mode == .development ? development : nil),
      federation: Federation(outbound: providers, options: options, logger: quiet),
      idTokenKeys: keys, sessionCookieKeys: cookieKeys, adminKeys: AdminKeys(store: store),
      serviceAccounts: ServiceAccounts(store: store), accessTokens: AccessTokens(store: store),
      hooks: HookDirectory(store: store),
      eventCheckpoints: {
        EventCheckpoints(
          store: store,
          keys: try await SigningKeys.open(
            .eventLog, store: store, forms: PlainForms(), now: Self.start))
      },
      webhooks: TestReceivers(), functions: TestReceivers(),
      checkReadiness: { _ = try await store.changeCounter() }, clock: { [clock] in clock.now },
      logger: quiet)
    services.host = ServerHost(
      version: "1.2.3", commit: nil,
      settings: [
        ServerHost.Setting(
          key: "log.level", value: "info", origin: "default", standard: "info",
          form: "trace…critical", meaning: "the lowest level that is logged")
      ],
      examine: { [Finding("settings", .ok, "understood")] },
      examineMail: { request in
        [Finding("test email", .failed(remedy: "Wait."), request.recipient ?? "none")]
      })
    self.services = services
    var configuration = APIConfiguration(
      mode: mode == .development
        ? .development(.init(defaultProject: defaultProject, allowedHosts: ["allowed.example.com"]))
        : .production,
      publicURL: publicURL)
    configuration.proxies.networks = [try #require(IPNetwork(Self.proxy))]
    self.configuration = configuration
    application = try Self.application(services, configuration)
  }

  /// The same server, started again: with the same database, and without the streams of before.
  func reopened(_ limits: WatchLimits = WatchLimits()) throws -> TestServer {
    var copy = self
    copy.services.watchers = WatchHub(limits: limits)
    copy.application = try Self.application(copy.services, configuration)
    return copy
  }

  private static func application(
    _ services: APIServices, _ configuration: APIConfiguration
  ) throws -> Application<CallbackResponder<APIRequestContext>> {
    let responder = try GatehouseAPI(services, configuration).responder
    return Application(
      responder: CallbackResponder { request, context in
        // The test client's authority is always localhost.
        var head = request.head
        head.authority = request.headers[.testAuthority] ?? head.authority
        let body =
          request.headers[.testBrokenBody] == nil
          ? request.body : RequestBody(asyncSequence: BrokenBody())
        var context = context
        context.peer = request.headers[.testPeer].flatMap { IPAddress($0) }
        return try await responder.respond(to: Request(head: head, body: body), context: context)
      },
      logger: services.logger)
  }

  /// Generating an RSA key takes long, so that of the ring is given.
  private static func open(
    _ use: TokenSigningKeys.Use, _ ring: SigningKeyRecord.Ring, with key: RSASigningKey,
    in store: any Store
  ) async throws -> TokenSigningKeys {
    try await store.write { transaction in
      try transaction.save(
        SigningKeyRecord(
          keyID: key.keyID, ring: ring, privateKey: Secret(key.pkcs8DER), publishedAt: start,
          activatedAt: start))
    }
    return try await TokenSigningKeys.open(use, store: store, forms: PlainForms(), now: start)
  }

  private struct PlainForms: SigningKeyForms {
    func signer(with key: SigningKey) -> any TokenSigner {
      switch key {
      case .rsa(let key): RS256Signer(key: key)
      case .p256(let key): ES256Signer(key: key)
      }
    }

    func certificate(of key: SigningKey, publishedAt: Date) throws -> String {
      try SelfSignedCertificate.pem(of: key, publishedAt: publishedAt)
    }
  }

  private static func project(_ id: ProjectID) -> (Project, [ProviderConfiguration]) {
    let project = Project(
      id: id, number: 12345, issuer: "https://securetoken.google.com/\(id)",
      authorizedDomains: ["localhost"], policies: .development)
    return (project, FakeProviders.configurations)
  }

  /// Compares the request and the reply with the description at `/openapi.json`, too.
  func call(_ request: TestRequest) async throws -> TestReply {
    let reply = try await application.test(.router) { client in
      try await client.execute(
        uri: request.uri, method: request.method, headers: request.headers,
        body: request.body.map { ByteBuffer(string: $0) }
      ) { TestReply(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body)) }
    }
    for fault in try APIDescription.shared.get().faults(of: request, reply) {
      Issue.record("\(fault) See HTTP/OpenAPI/Capabilities.")
    }
    return reply
  }
}

/// Receives the codes of tests, which read them from the list.
/// Programs of the operator. Those whose address ends in `/ok` accept everything.
private struct TestReceivers: OutboundTransport {
  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    OutboundResponse(
      status: request.url.text.hasSuffix("/ok") ? 200 : 500, cacheControl: nil, age: nil,
      date: nil, retryAfter: nil, body: Array("{}".utf8))
  }
}

private struct NoDisplay: CodeDisplay {
  func show(_ message: CodeMessage) async {}
}

/// Blocking functions that all answer the same.
final class TestFunctions: BlockingFunctionCalls {
  private let outcome = Mutex(BlockingOutcome.allowed(BlockingChanges()))

  func answer(_ outcome: BlockingOutcome) { self.outcome.withLock { $0 = outcome } }

  func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome { outcome.withLock { $0 } }
}

private struct NoTelephone: PhoneCodeDelivery {
  let worksWithoutWebhook: Bool

  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(PhoneCodeUndelivered) {}
}

/// The server's view of a client's malformed chunks.
private struct BrokenBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
  struct Broken: Error {}

  func makeAsyncIterator() -> BrokenBody { self }
  func next() async throws -> ByteBuffer? { throw Broken() }
}

/// A clock that a test advances.
final class TestClock: Sendable {
  private let time = Mutex(TestServer.start)

  var now: Date { time.withLock { $0 } }

  func advance(seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// Keys that all tests share, because creating one takes long.
enum SharedKeys {
  static let signing = Result { try RSASigningKey.generate() }
  static let cookies = Result { try RSASigningKey.generate() }
  static let provider = Result { try RSASigningKey.generate() }
}

/// The API's tests import no bcrypt hashes.
private struct NoBcrypt: BcryptComputing {
  func bcrypt(_ password: [UInt8], setting: [UInt8]) -> [UInt8]? { nil }
}

/// When the database fails.
final class TestFailures: Sendable {
  private let rest = Mutex<Int?>(nil)

  /// The database refuses one write, after `count` others.
  func refuseWrite(after count: Int) { rest.withLock { $0 = count } }

  fileprivate func check() throws {
    let fails = rest.withLock { rest in
      guard let count = rest else { return false }
      rest = count == 0 ? nil : count - 1
      return count == 0
    }
    if fails { throw StoreError.unavailable("the disk is full") }
  }
}
