package import GatehouseProtocol

/// A password hash with its scheme, as another system would import it.
package struct ExportedPassword: Sendable {
  package let scheme: HashScheme
  package let digest: [UInt8]
  package let salt: [UInt8]
  /// The same text for all passwords that can be in one import.
  package let group: String
}

extension AccountsService {
  /// The hashes of accounts that were just read, and the keys of imported hashes, for a caller who may export
  /// them. Anyone who has them can guess passwords without a limit.
  package func exportedPasswords(
    of accounts: [Account], in project: Project
  ) async throws -> [UID: ExportedPassword] {
    try await store.read { try $0.exportedPasswords(of: accounts, in: project.id) }
  }
}

extension Transaction {
  fileprivate func exportedPasswords(
    of accounts: [Account], in project: ProjectID
  ) throws -> [UID: ExportedPassword] {
    var keys: [String: Secret<[UInt8]>] = [:]
    for key in try passwordKeys(of: project) { keys[key.id] = key.key }
    var passwords: [UID: ExportedPassword] = [:]
    for account in accounts {
      passwords[account.uid] = account.password.flatMap { ExportedPassword($0, keys: keys) }
    }
    return passwords
  }
}

extension ExportedPassword {
  /// Nil for a hash of an unknown scheme.
  fileprivate init?(_ hash: PasswordHash, keys: [String: Secret<[UInt8]>]) {
    let algorithm: HashScheme.Algorithm
    var key: Secret<[UInt8]>?
    if let own = ScryptHasher.Parameters(hash.parameters) {
      algorithm = .scrypt(
        cost: 1 << own.logCost, blockSize: own.blockSize, parallelism: own.parallelism,
        length: hash.digest.count)
    } else {
      guard let stored = StoredScheme(hash.parameters) else { return nil }
      algorithm = stored.algorithm
      key = stored.keyID.flatMap { keys[$0] }
    }
    guard let scheme = try? HashScheme(algorithm, key: key) else { return nil }
    self.init(
      scheme: scheme, digest: hash.digest, salt: hash.salt, group: hash.parameters)
  }
}
