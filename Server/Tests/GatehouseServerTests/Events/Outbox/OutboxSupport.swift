import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Logging
import Synchronization
import TestStores
import Testing

/// Answers requests from memory and keeps them.
final class Vendors: OutboundTransport {
  typealias Answer = @Sendable (OutboundRequest) throws(OutboundError) -> OutboundResponse

  private struct State {
    var answers: [String: Answer] = [:]
    var requests: [OutboundRequest] = []
    var held: Set<String> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func on(_ url: String, status: Int = 200, _ json: JSONObject) {
    on(url) { _ throws(OutboundError) in
      OutboundResponse(status: status, body: json.serialized())
    }
  }

  func on(_ url: String, _ answer: @escaping Answer) {
    state.withLock { $0.answers[url] = answer }
  }

  /// Nothing at `url` is reachable any more. Returns its former answer.
  @discardableResult func disconnect(_ url: String) -> Answer? {
    state.withLock { $0.answers.removeValue(forKey: url) }
  }

  /// Requests to `url` get no answer until ``release()``.
  func hold(_ url: String) { state.withLock { _ = $0.held.insert(url) } }

  var isHolding: Bool { state.withLock { !$0.held.isEmpty } }

  func release() {
    let waiting = state.withLock { state in
      state.held = []
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers[request.url.text]
    }
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        guard state.held.contains(request.url.text) else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !isHeld { continuation.resume() }
    }
    guard let answer else { throw .notConnected(host: request.url.host) }
    return try answer(request)
  }

  func requests(to url: String) -> [OutboundRequest] {
    state.withLock { $0.requests.filter { $0.url.text == url } }
  }

  /// The values of a form's field in the requests to `url`, in their order.
  func fields(_ name: String, at url: String) -> [String] {
    requests(to: url).compactMap { request in
      request.form?.first { $0.name == name }?.value.reveal()
    }
  }
}

/// A worker over a real store, with vendors in memory and a clock that only tests move.
struct OutboxWorld {
  static let appleToken = "https://appleid.apple.com/auth/token"
  static let appleRevoke = "https://appleid.apple.com/auth/revoke"
  static let appleKeys = "https://appleid.apple.com/auth/keys"
  static let googleRevoke = "https://oauth2.googleapis.com/revoke"
  static let start = Date(timeIntervalSince1970: 1_800_000_000)

  /// Apple's key; generating one takes long.
  private static let appleKey = Result { try RSASigningKey.generate() }

  let store: any Store
  let vendors = Vendors()
  let project: ProjectID
  /// Signs the events for hooks.
  let eventKeys: any TokenKeys
  private let clock: Clock

  private final class Clock: Sendable {
    private let time = Mutex(OutboxWorld.start)
    var now: Date { time.withLock { $0 } }
    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
  }

  var now: Date { clock.now }

  func advance(_ seconds: TimeInterval) { clock.advance(seconds) }

  /// A worker as a process creates one when it starts.
  ///
  /// - Parameter other: A store in place of the world's.
  func worker(mailer: (any Mailer)? = nil, on other: (any Store)? = nil) -> OutboxWorker {
    let clock = clock
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return OutboxWorker(
      store: other ?? store, federation: Federation(outbound: vendors, logger: quiet),
      webhooks: vendors, eventTokens: SecurityEventCodec(keys: eventKeys), mailer: mailer,
      clock: { clock.now }, logger: quiet)
  }

  fileprivate init(_ store: any Store, _ project: ProjectID) throws {
    self.store = store
    self.project = project
    clock = Clock()
    let key = try Self.appleKey.get()
    eventKeys = try EventKeys(key)
    vendors.on(
      Self.appleKeys,
      try JSONObject(parsing: PublicJWK.keySet([try key.publicJWK()])))
  }

  /// Apple's answer to a code.
  func appleAnswers(subject: String = "ann", refreshToken: String? = "r3fresh") throws {
    let key = try Self.appleKey.get()
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", "https://appleid.apple.com")
      claims.string("aud", "com.example.app")
      claims.string("sub", subject)
      claims.date("iat", now)
      claims.date("exp", now.addingTimeInterval(3600))
    }
    let token = try TokenWriter(signer: RS256Signer(key: key)).token(payload: payload)
    var json: JSONObject = ["access_token": "a", "id_token": .string(token)]
    if let refreshToken { json["refresh_token"] = .string(refreshToken) }
    vendors.on(Self.appleToken, json)
  }

  func queue(_ json: String, order: String = "ann") async throws {
    let task = try #require(OutboxTask(stored: Array(json.utf8)))
    let entry = OutboxEntry(project: project, task: task, orderKey: order, createdAt: now)
    try await store.write { try $0.enqueue(entry) }
  }

  static let codeDigest = Array(SHA256.hash(data: Data("c0de".utf8)))

  /// An email to `ann@example.com` whose code expires an hour after the start.
  static func mail(
    kind: String = "resetPassword", newEmail: String? = nil, language: String = "de",
    languages: [String]? = nil, isVoid: Bool = false
  ) -> String {
    let recipient = newEmail ?? "ann@example.com"
    let new = newEmail.map { #""newEmail":"\#($0)","# } ?? ""
    let expiry = start.addingTimeInterval(3600).timeIntervalSince1970
    return """
      {"kind":"send-mail","mail":{"kind":"\(kind)","recipient":"\(recipient)",\(new)
       "email":"ann@example.com","uid":"ann","codeDigest":"\(Data(codeDigest).base64EncodedString())","link":"https://auth.example.com/?oobCode=c0de",
       "languages":\(languages ?? [language]),"expiresAt":\(expiry),"isVoid":\(isVoid)}}
      """
  }

  func queueCode(_ code: String = "c0de") async throws {
    try await queue(
      """
      {"kind":"exchange-code","provider":"apple.com","subject":"ann","uid":"ann","code":"\(code)"}
      """)
  }

  func queueRevocation(
    _ token: String = "r3fresh", of provider: String = "apple.com", order: String = "ann"
  ) async throws {
    try await queue(
      """
      {"kind":"revoke","provider":"\(provider)","subject":"ann","token":"\(token)",
       "tokenKind":"refresh_token","clientID":"com.example.app"}
      """, order: order)
  }

  func entries() async throws -> [OutboxEntry] {
    try await store.read { try $0.outboxEntries(OutboxFilter(), limit: 1000) }
  }

  func tokens() async throws -> [ProviderToken] {
    let project = project
    return try await store.read {
      try $0.providerTokenPage(after: nil, limit: 1000, in: project).tokens
    }
  }
}

/// Runs `body` with a new database with one project, its providers and the account `ann`.
func withOutbox(_ body: (OutboxWorld) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gatehouse-outbox-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let store = try TestStore.open(
    at: folder, sealing: SecretBox(try #require(MasterKey.random()).key))
  let project = try #require(ProjectID("test-project"))
  try await store.write { transaction in
    try transaction.save(
      Project(
        id: project, number: 1, issuer: "https://auth.example.com/test-project",
        authorizedDomains: [], policies: ProjectPolicies()))
    for provider in try providers() { try transaction.save(provider, in: project) }
    var ann = Account(uid: try #require(UID("ann")), createdAt: OutboxWorld.start)
    ann.identities = [
      LinkedIdentity(
        provider: .apple, subject: try #require(Subject("ann")), linkedAt: OutboxWorld.start)
    ]
    try transaction.save(ann, in: project)
  }
  do {
    try await body(try OutboxWorld(store, project))
    await store.close()
  } catch {
    await store.close()
    throw error
  }
}

private func providers() throws -> [ProviderConfiguration] {
  var apple = ProviderConfiguration(
    id: .apple, clientID: "com.example.web", trustEmail: .always)
  apple.apple = .init(
    bundleIDs: ["com.example.app"], teamID: "TEAM123456", keyID: "KEY1234567",
    privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
  var google = ProviderConfiguration(
    id: .google, clientID: "google-client", trustEmail: .authoritative)
  google.clientSecret = Secret("google-secret")
  var facebook = ProviderConfiguration(id: .facebook, clientID: "1234", trustEmail: .never)
  facebook.clientSecret = Secret("facebook-secret")
  return [apple, google, facebook].map { provider in
    var provider = provider
    provider.isEnabled = true
    return provider
  }
}

private struct EventKeys: TokenKeys {
  private let rs256: TokenWriter
  let keySet: KeySet

  func writer(_ algorithm: TokenAlgorithm) -> TokenWriter { rs256 }

  init(_ key: RSASigningKey) throws {
    rs256 = TokenWriter(signer: RS256Signer(key: key))
    keySet = try KeySet(jwks: PublicJWK.keySet([try key.publicJWK()]))
  }
}
