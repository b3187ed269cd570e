import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Imports into the world's project. Its service knows other systems' hashes, as a server's does.
struct ImportWorld {
  let world: World
  let accounts: AccountsService

  init(_ world: World) throws {
    self.world = world
    let costs = ScryptHasher.Parameters(logCost: 10, blockSize: 1, parallelism: 1)
    accounts = try World.service(
      store: world.store, master: world.master,
      passwords: ScryptHasher(
        try #require(costs), threads: 2,
        imported: ImportedPasswords(store: world.store, bcrypt: CryptBcrypt())))
  }

  func importAccounts(
    _ list: [ImportedAccount], _ scheme: HashScheme? = nil,
    existing: ImportOptions.Existing = .refuse
  ) async throws -> ImportOutcome {
    var options = ImportOptions()
    options.scheme = scheme
    options.existing = existing
    return try await accounts.importAccounts(list, options, in: world.project, now: world.now)
  }

  func keepToken(of uid: UID, _ provider: ProviderID, _ name: String) async throws {
    let token = ProviderToken(
      uid: uid, provider: provider, clientID: "client", subject: try subject(name),
      token: Secret("r3fresh"), codeDigest: nil, obtainedAt: world.now)
    let project = world.project.id
    try await world.store.write { try $0.save(token, in: project) }
  }

  func signIn(_ address: String, _ password: String) async throws -> SignedIn {
    try await accounts.signIn(
      email: try email(address), password: Secret(password), from: .unknown, in: world.project,
      now: world.now
    ).signedIn()
  }
}

func withImportWorld(_ body: (ImportWorld) async throws -> Void) async throws {
  try await withWorld { try await body(try ImportWorld($0)) }
}

func imported(
  _ name: String, _ change: (inout ImportedAccount) throws -> Void = { _ in }
) throws -> ImportedAccount {
  var account = ImportedAccount(uid: try uid(name))
  account.email = try email("\(name)@example.com")
  try change(&account)
  return account
}
