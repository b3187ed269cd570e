import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Synchronization
import TestStores
import Testing

/// A server's domain with a real store, and a clock that only tests move.
final class World: Sendable {
  let store: any Store
  let accounts: AccountsService
  let project: Project
  let master: MasterKey
  /// The keys of the server, which a rotation changes. At first only `master`.
  let ring: MasterKeyRing
  /// The sent mails.
  let mailbox: ReceivedMail
  let telephones: Telephones
  /// Answers for the blocking functions of projects that have any.
  let functions = FakeFunctions()
  private let clock = Mutex(World.start)

  /// Half a second past a whole second, so that whole seconds and milliseconds differ.
  static let start = Date(timeIntervalSince1970: 1_800_000_000.5)

  init(store: any Store, project: Project, master: MasterKey, logCost: Int = 10) throws {
    self.store = store
    self.project = project
    self.master = master
    let ring = MasterKeyRing(master)
    self.ring = ring
    let mailbox = ReceivedMail()
    self.mailbox = mailbox
    let telephones = Telephones()
    self.telephones = telephones
    accounts = try Self.service(
      store: store, ring: ring, passwords: try Self.hasher(logCost),
      actionCodes: ActionCodeIssuer(display: mailbox, sendsMail: true),
      phoneCodes: PhoneCodeIssuer(delivery: telephones), blockingFunctions: functions)
  }

  var now: Date { clock.withLock { $0 } }

  /// Makes the server encrypt under a new master key, as `keys rotate-master` does.
  func rotateMasterKey() async throws {
    if try await store.read({ try $0.serverValue(MasterKeyRotation.Value.check) }) == nil {
      try await store.write { try MasterKeyRotation.stamp($0, with: self.master) }
    }
    let new = try #require(MasterKey.random()).key
    ring.adopt(ring.keys + [new])
    #expect(try await MasterKeyRotation(store: store, ring: ring).begin(new.id, now: now))
  }

  func advance(_ seconds: TimeInterval) { clock.withLock { $0 += seconds } }

  static func hasher(_ logCost: Int = 10, queueLimit: Int = 200) throws -> ScryptHasher {
    let parameters = ScryptHasher.Parameters(logCost: logCost, blockSize: 1, parallelism: 1)
    return ScryptHasher(try #require(parameters), threads: 2, queueLimit: queueLimit)
  }

  static func service(
    store: any Store, master: MasterKey, passwords: any PasswordHashing, hashesPerClient: Int = 200
  ) throws -> AccountsService {
    try service(
      store: store, ring: MasterKeyRing(master), passwords: passwords,
      hashesPerClient: hashesPerClient)
  }

  static func service(
    store: any Store, ring: MasterKeyRing, passwords: any PasswordHashing,
    actionCodes: ActionCodeIssuer = ActionCodeIssuer(),
    phoneCodes: PhoneCodeIssuer = PhoneCodeIssuer(),
    blockingFunctions: any BlockingFunctionCalls = NoBlockingFunctionCalls(),
    hashesPerClient: Int = 200
  ) throws -> AccountsService {
    AccountsService(
      store: store,
      sessions: SessionIssuer(
        idTokenKeys: try SharedKey.keys(), cookieKeys: try SharedKey.cookieKeys(),
        refreshTokens: RefreshTokenCodec(ring)),
      pendingTokens: PendingTokenCodec(ring), nonces: NonceCodec(ring),
      browserSignIns: BrowserSignInCodec(ring), passwords: passwords,
      actionCodes: actionCodes, phoneCodes: phoneCodes, blockingFunctions: blockingFunctions,
      hashesPerClient: hashesPerClient)
  }

  /// Another project of the same server, with the same policies.
  func otherProject() async throws -> Project {
    let other = try Self.project("other-project", policies: project.policies)
    try await store.write { try $0.save(other) }
    return other
  }

  /// The same project under other policies.
  func project(_ change: (inout ProjectPolicies) -> Void) -> Project {
    var changed = project
    change(&changed.policies)
    return changed
  }

  /// Every provider of the tests' identities, enabled.
  static func providers() throws -> [ProviderConfiguration] {
    try ["apple.com", "facebook.com", "google.com", "oidc.example", "oidc.other"].map { name in
      let id = try #require(ProviderID(name))
      var provider = ProviderConfiguration(id: id, clientID: "client", trustEmail: .always)
      provider.isEnabled = true
      return provider
    }
  }

  static func project(_ id: String, policies: ProjectPolicies) throws -> Project {
    Project(
      id: try #require(ProjectID(id)), number: 12_345,
      issuer: "https://auth.example.com/\(id)", authorizedDomains: ["localhost"],
      policies: policies)
  }
}

/// Runs `body` with a new database with one project, and removes the database afterwards.
///
/// Anonymous accounts are allowed and addresses aren't protected, unless `policies` changes it.
func withWorld(
  onPostgres isPostgres: Bool = TestStore.isPostgres,
  _ policies: (inout ProjectPolicies) -> Void = { _ in },
  body: (World) async throws -> Void
) async throws {
  var chosen = ProjectPolicies.development
  policies(&chosen)
  let project = try World.project("test-project", policies: chosen)
  try await withStore(onPostgres: isPostgres) { store, master in
    try await store.write { transaction in
      try transaction.save(project)
      for provider in try World.providers() { try transaction.save(provider, in: project.id) }
    }
    try await body(try World(store: store, project: project, master: master))
  }
}

/// Runs `body` with a new and empty database, and removes the database afterwards.
func withStore(
  onPostgres isPostgres: Bool = TestStore.isPostgres,
  body: (any Store, MasterKey) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gatehouse-accounts-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let master = try #require(MasterKey.random()).key
  let store =
    isPostgres
    ? try TestStore.postgres(at: folder, sealing: SecretBox(master))
    : try TestStore.open(at: folder, sealing: SecretBox(master))
  do {
    try await body(store, master)
  } catch {
    await store.close()
    throw error
  }
  await store.close()
}
