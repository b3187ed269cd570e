package import GatehouseModel

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
      var keys: [String: Secret<[UInt8]>] = [:]
      if includesPasswords {
        for key in try transaction.passwordKeys(of: project.id) { keys[key.id] = key.key }
      }
      let page = found.prefix(pageSize).map { account in
        let password = includesPasswords ? account.password : nil
        return (account, password.flatMap { ExportedPassword($0, keys: keys) })
      }
      return ExportPage(accounts: page, next: found.count > pageSize ? page.last?.0.uid : nil)
    }
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
