import GatehouseModel

/// Whether a password has the imported hash. Slow.
typealias ImportedCheck = @Sendable (Secret<String>) throws -> Bool

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
  /// - Returns: The slow check, to be run on ``HashingWorkers``. Nil if the hash has no known scheme
  ///   or its key doesn't exist: then no password matches.
  func check(
    of hash: PasswordHash
  ) async throws -> ImportedCheck? {
    guard let stored = StoredScheme(hash.parameters) else { return nil }
    var key: Secret<[UInt8]>?
    if let keyID = stored.keyID { key = try await store.read { try $0.passwordKey(keyID) }?.key }
    guard let scheme = try? HashScheme(stored.algorithm, key: key) else { return nil }
    return { [bcrypt] password in
      try scheme.matches(password, salt: hash.salt, digest: hash.digest, bcrypt: bcrypt)
    }
  }
}
