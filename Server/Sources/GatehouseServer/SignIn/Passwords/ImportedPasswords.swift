import GatehouseProtocol

/// The check of a hash from another system.
struct ImportedCheck: Sendable {
  /// Whether a password has the hash. Slow: run it on ``HashingWorkers``.
  let matches: @Sendable (Secret<String>) throws -> Bool
  /// What the check costs. Nil if it isn't one of scrypt.
  let cost: ScryptHasher.Parameters?
}

/// Finds what is needed to check a hash from another system.
package struct ImportedPasswords: Sendable {
  private let store: any Store
  private let bcrypt: any BcryptComputing

  package init(store: any Store, bcrypt: any BcryptComputing) {
    self.store = store
    self.bcrypt = bcrypt
  }

  /// Reads the hash's scheme with its key.
  ///
  /// - Returns: Nil if the hash has no known scheme or its key doesn't exist: then no password matches.
  func check(
    of hash: PasswordHash
  ) async throws -> ImportedCheck? {
    guard let stored = StoredScheme(hash.parameters) else { return nil }
    var key: Secret<[UInt8]>?
    if let keyID = stored.keyID { key = try await store.read { try $0.passwordKey(keyID) }?.key }
    guard let scheme = try? HashScheme(stored.algorithm, key: key) else { return nil }
    return ImportedCheck(
      matches: { [bcrypt] password in
        try scheme.matches(password, salt: hash.salt, digest: hash.digest, bcrypt: bcrypt)
      }, cost: scheme.algorithm.scryptCost)
  }
}

extension HashScheme.Algorithm {
  /// What a hash costs. Nil for other algorithms than scrypt, and for parameters that the server's own hashes
  /// can't have: those cost little.
  package var scryptCost: ScryptHasher.Parameters? {
    switch self {
    case .firebaseScrypt(let logCost, let blockSize, _):
      ScryptHasher.Parameters(logCost: logCost, blockSize: blockSize, parallelism: 1)
    case .scrypt(let cost, let blockSize, let parallelism, _):
      ScryptHasher.Parameters(
        logCost: cost.trailingZeroBitCount, blockSize: blockSize, parallelism: parallelism)
    case .pbkdf2, .hmac, .digest, .bcrypt: nil
    }
  }
}
