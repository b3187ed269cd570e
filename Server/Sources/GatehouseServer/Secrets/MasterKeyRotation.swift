package import Foundation
import GatehouseProtocol

/// Moves a database from one master key to another while servers keep running.
///
/// The database names the key that encrypts. ``begin(_:now:)`` changes this name in one transaction, and
/// ``reseal()`` encrypts stored values again that the old key encrypted. Until then, and longer for
/// refresh tokens, the ring holds both keys. So after an interruption at any moment the database can
/// still be decrypted, and the next run continues. The caller must make sure that all servers hold the
/// new key before ``begin(_:now:)``.
package struct MasterKeyRotation: Sendable {
  private let store: any Store
  private let ring: MasterKeyRing

  /// The names of the server values that store the state of a rotation.
  package enum Value {
    package static let check = "masterKeyCheck"
    package static let id = "masterKeyID"
    /// The former keys: see ``FormerMasterKey``. No rotation may begin with one of them again.
    package static let former = "formerMasterKeys"
    package static let rotatedAt = "masterKeyRotatedAt"
    /// Set while stored values may still be encrypted under a former key.
    package static let resealing = "masterKeyResealing"
  }

  package init(store: any Store, ring: MasterKeyRing) {
    self.store = store
    self.ring = ring
  }

  /// The state of a rotation.
  package struct Status: Hashable, Sendable {
    /// The id of a held key that the database doesn't use yet.
    package let next: [UInt8]?
    /// The ids of held keys that are former keys.
    package let former: [[UInt8]]
    /// Stored values may be encrypted under a former key.
    package let isResealing: Bool
    /// When the current key began to encrypt; nil if it always did.
    package let rotatedAt: Date?
  }

  /// Records in a new database the key that encrypts.
  package static func stamp(_ transaction: Transaction, with key: MasterKey) throws {
    try transaction.setServerValue(Value.check, to: key.checkValue)
    try transaction.setServerValue(Value.id, to: key.id)
  }

  /// Makes the ring encrypt with the key that the database names.
  ///
  /// - Returns: False if the ring doesn't hold the key.
  package static func select(in ring: MasterKeyRing, store: any Store) async throws -> Bool {
    let (check, former) = try await store.read {
      (try $0.serverValue(Value.check), FormerMasterKey.list(try $0.serverValue(Value.former)))
    }
    return check.map { ring.select(checkValue: $0, former: former) } ?? false
  }

  package func status() async throws -> Status {
    let (former, resealing, rotatedAt) = try await store.read { transaction in
      (
        FormerMasterKey.list(try transaction.serverValue(Value.former)),
        try transaction.serverValue(Value.resealing) ?? [],
        try transaction.serverValue(Value.rotatedAt)
      )
    }
    let others = ring.keys.filter { $0.id != ring.current.id }
    let isFormer = { (key: MasterKey) in former.contains { $0.checkValue == key.checkValue } }
    let seconds = rotatedAt.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    return Status(
      next: others.first { !isFormer($0) }?.id, former: others.filter(isFormer).map(\.id),
      isResealing: !resealing.isEmpty, rotatedAt: seconds.map(Date.init(timeIntervalSince1970:)))
  }

  /// Encrypts from now on with the key that has this id.
  ///
  /// - Returns: False if the ring doesn't hold the key, if the key encrypts already, or if another
  ///   rotation has begun since the ring's current key was selected.
  package func begin(_ id: [UInt8], now: Date) async throws -> Bool {
    let old = ring.current
    guard let new = ring.keys.first(where: { $0.id == id }), new.id != old.id else { return false }
    let former = try await store.write { transaction -> [FormerMasterKey]? in
      guard try transaction.serverValue(Value.check) == old.checkValue else { return nil }
      // A server may encrypt under the former key until it reads the change.
      let until = now.addingTimeInterval(Self.secondsUntilServersLook)
      let former =
        FormerMasterKey.list(try transaction.serverValue(Value.former))
        .filter { $0.checkValue != new.checkValue && $0.checkValue != old.checkValue }
        + [FormerMasterKey(checkValue: old.checkValue, usedUntil: until)]
      try transaction.setServerValue(Value.former, to: FormerMasterKey.stored(former))
      try transaction.setServerValue(Value.rotatedAt, to: Self.bytes(of: now))
      try transaction.setServerValue(Value.resealing, to: [1])
      try Self.stamp(transaction, with: new)
      // In the same transaction: if the process ends here, the servers use the new key nevertheless.
      try transaction.announceMasterKey(new.name)
      return former
    }
    return former.map { ring.select(checkValue: new.checkValue, former: $0) } ?? false
  }

  /// Completes a rotation that was interrupted.
  ///
  /// The rotation counts as one of now: nobody knows whether the servers have read the change since it
  /// began, so a session that was refreshed in between may have a token of the former key.
  ///
  /// - Returns: How many records were encrypted.
  package func resume(now: Date) async throws -> Int {
    try await store.write {
      try $0.setServerValue(Value.rotatedAt, to: Self.bytes(of: now))
      try $0.announceMasterKey(ring.current.name)
    }
    return try await reseal()
  }

  /// Encrypts stored values again, under the current key. Leaves out the codes and links that only `--dev`
  /// stores, because they expire soon. May be interrupted and repeated. A repetition encrypts all values
  /// again.
  ///
  /// - Returns: How many records were encrypted.
  package func reseal() async throws -> Int {
    var count = 0
    for ring in SigningKeyRecord.Ring.allCases {
      count += try await store.write { transaction in
        let keys = try transaction.signingKeys(of: ring)
        for key in keys { try transaction.save(key) }
        return keys.count
      }
    }
    for project in try await store.read({ try $0.projects().map(\.id) }) {
      count += try await store.write { transaction in
        let providers = try transaction.providers(in: project)
        for provider in providers { try transaction.save(provider, in: project) }
        let passwordKeys = try transaction.passwordKeys(of: project)
        for key in passwordKeys { try transaction.save(key) }
        let webhook = try transaction.codeWebhook(of: project)
        if let webhook { try transaction.save(webhook, of: project) }
        // A project's row contains its blocking functions' secrets.
        let functions = try transaction.project(project).flatMap {
          $0.blockingFunctions.isUnset ? nil : $0
        }
        if let functions { try transaction.save(functions) }
        let hooks = try transaction.hooks(of: project)
        for hook in hooks { try transaction.save(hook, of: project) }
        return providers.count + passwordKeys.count + (webhook == nil ? 0 : 1) + hooks.count
          + (functions == nil ? 0 : 1)
      }
    }
    count += try await resealSecondFactors()
    count += try await VaultKeys.reseal(in: store)
    try await store.write { try $0.setServerValue(Value.resealing, to: []) }
    return count
  }

  private func resealSecondFactors() async throws -> Int {
    var count = 0
    for project in try await store.read({ try $0.projects().map(\.id) }) {
      var last: UID?
      repeat {
        let start = last
        let page = try await store.write { transaction in
          let accounts = try transaction.accountsWithSecondFactors(
            after: start, limit: Self.accountsAtOnce, in: project)
          for account in accounts {
            try transaction.save(account, replacing: account, in: project)
          }
          return accounts.map(\.uid)
        }
        count += page.count
        last = page.last
      } while last != nil
    }
    return count
  }

  private static let accountsAtOnce = 200

  /// How many live sessions have not been refreshed since the current key began to encrypt. Their
  /// refresh tokens were created with a former key and become invalid when that key is removed.
  package func sessionsOfFormerKeys() async throws -> Int {
    guard let rotatedAt = try await status().rotatedAt else { return 0 }
    // A server may create tokens under the former key until it reads the change.
    let limit = rotatedAt.addingTimeInterval(Self.secondsUntilServersLook)
    return try await store.read { try $0.countLiveSessions(lastUsedBefore: limit) }
  }

  /// How long the caller must wait until no server encrypts with a former key any more, and
  /// ``reseal()`` finds all that one encrypted. Seconds; not positive if nothing is to wait for.
  package func secondsUntilServersHaveSwitched(now: Date) async throws -> TimeInterval {
    guard let rotatedAt = try await status().rotatedAt else { return 0 }
    return rotatedAt.timeIntervalSince(now) + Self.secondsUntilServersLook
  }

  /// A server looks every tenth of a second, after failures every five seconds. It may commit what it has
  /// encrypted as much later as a transaction may take: five seconds.
  private static let secondsUntilServersLook: TimeInterval = 10

  private static func bytes(of time: Date) -> [UInt8] {
    Array(String(time.timeIntervalSince1970).utf8)
  }
}

extension DatabaseFacts {
  /// The check value of the master key that encrypts.
  package var masterKeyCheck: [UInt8]? { values[MasterKeyRotation.Value.check] }
  package var masterKeyID: [UInt8]? { values[MasterKeyRotation.Value.id] }
  package var formerMasterKeys: [FormerMasterKey] {
    FormerMasterKey.list(values[MasterKeyRotation.Value.former])
  }
  /// A rotation of the master key was interrupted, or is in progress.
  package var isResealing: Bool {
    values[MasterKeyRotation.Value.resealing].map { !$0.isEmpty } ?? false
  }
}
