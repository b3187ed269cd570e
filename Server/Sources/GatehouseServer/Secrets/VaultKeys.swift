import Crypto

/// The key of the vault, if it isn't the master key: see ``VaultBox``.
package enum VaultKeys {
  /// The server value with the check value of the key that encrypts; empty if it is the master key.
  package static let check = "vaultKeyCheck"
  /// The server value with the check values of former keys, concatenated. Some values may be encrypted
  /// under them until everything is encrypted again.
  package static let former = "vaultKeyFormer"

  /// Records the key that encrypts, and adds an earlier key of the vault to the former ones.
  ///
  /// - Returns: Whether another key, or the master key, encrypted until now.
  @discardableResult
  package static func stamp(
    _ transaction: Transaction, with key: MasterKey
  ) throws -> Bool {
    let known = try transaction.serverValue(check) ?? []
    guard known != key.checkValue else { return false }
    if !known.isEmpty {
      let earlier = try transaction.serverValue(former) ?? []
      try transaction.setServerValue(former, to: earlier + known)
    }
    try transaction.setServerValue(check, to: key.checkValue)
    return true
  }

  /// The check values in the server value ``former``.
  package static func checkValues(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: SHA256.byteCount).map { start in
      Array(bytes[start..<min(start + SHA256.byteCount, bytes.count)])
    }
  }

  /// Records that nothing is encrypted under a former key any more.
  package static func forgetFormer(_ transaction: Transaction) throws {
    try transaction.setServerValue(former, to: [])
  }

  /// Records that the master key encrypts the vault.
  package static func clear(_ transaction: Transaction) throws {
    try transaction.setServerValue(check, to: [])
  }

  /// Encrypts providers' tokens and the outbox again, under the current key. May be interrupted and
  /// repeated.
  ///
  /// - Returns: How many records were encrypted.
  package static func reseal(in store: any Store) async throws -> Int {
    try await resealProviderTokens(in: store) + resealOutbox(in: store)
  }

  /// How many rows are encrypted in one transaction: few enough that sign-ins hardly wait.
  private static let pageSize = 200

  private static func resealProviderTokens(in store: any Store) async throws -> Int {
    var count = 0
    for project in try await store.read({ try $0.projects().map(\.id) }) {
      var position: Int64?
      repeat {
        let start = position
        let (sealed, next) = try await store.write { transaction in
          let page = try transaction.providerTokenPage(
            after: start, limit: pageSize, in: project)
          for token in page.tokens { try transaction.save(token, in: project) }
          return (page.tokens.count, page.position)
        }
        count += sealed
        position = next
      } while position != nil
    }
    return count
  }

  private static func resealOutbox(in store: any Store) async throws -> Int {
    var count = 0
    var position: Int64?
    repeat {
      let start = position
      let (sealed, next) = try await store.write { transaction in
        let page = try transaction.outboxPage(after: start, limit: pageSize)
        for entry in page.entries { try transaction.reseal(entry) }
        return (page.entries.count, page.position)
      }
      count += sealed
      position = next
    } while position != nil
    return count
  }
}
