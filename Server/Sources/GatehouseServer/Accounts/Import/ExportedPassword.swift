package import GatehouseProtocol

/// A password hash with its scheme, as another system would import it.
package struct ExportedPassword: Sendable {
  package let scheme: HashScheme
  package let digest: [UInt8]
  package let salt: [UInt8]
  /// The same text for all passwords that can be in one import.
  package let group: String
}

/// A page of accounts with their passwords' hashes.
package struct ExportPage: Sendable {
  package let accounts: [(account: Account, password: ExportedPassword?)]
  /// The id to continue after; nil at the end.
  package let next: UID?
}

extension AccountsService {
  /// A page of accounts in the order of their ids, for an operator's export.
  ///
  /// - Parameters:
  ///   - includesPasswords: Whether hashes, and the keys of imported hashes, are exported too. Anyone
  ///     who has them can guess passwords without a limit.
  ///   - pageSize: 1…1000, checked by the caller.
  package func exportAccounts(
    after uid: UID?, pageSize: Int, includingPasswords includesPasswords: Bool,
    in project: Project
  ) async throws -> ExportPage {
    try await store.read { transaction in
      let found = try transaction.accounts(after: uid, limit: pageSize + 1, in: project.id)
      let page = Array(found.prefix(pageSize))
      let passwords =
        includesPasswords ? try transaction.exportedPasswords(of: page, in: project.id) : [:]
      return ExportPage(
        accounts: page.map { ($0, passwords[$0.uid]) },
        next: found.count > pageSize ? page.last?.uid : nil)
    }
  }

  /// The passwords of accounts that were just read, for a caller that may export them: see
  /// ``exportAccounts(after:pageSize:includingPasswords:in:)``.
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
