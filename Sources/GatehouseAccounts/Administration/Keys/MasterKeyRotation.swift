import Crypto
package import Foundation

/// Moves a database from one master key to another while servers go on serving.
///
/// The database says which key seals (``begin(_:now:)`` changes that in one transaction), and
/// everything sealed before is sealed again (``reseal()``). Until then, and for refresh tokens
/// longer, the ring holds both keys, so each moment at which this is interrupted leaves a database
/// that opens, and the next run goes on. What servers hold is the caller's to see to: they must
/// hold the new key before ``begin(_:now:)``.
package struct MasterKeyRotation: Sendable {
  private let store: any Store
  private let ring: MasterKeyRing

  /// The names of the server values that tell where a rotation stands.
  package enum Value {
    package static let check = "masterKeyCheck"
    package static let id = "masterKeyID"
    /// Check values of keys that sealed before, one after the other.
    package static let former = "masterKeyFormer"
    package static let rotatedAt = "masterKeyRotatedAt"
    /// There while what was sealed before may be under a former key.
    package static let resealing = "masterKeyResealing"
  }

  package init(store: any Store, ring: MasterKeyRing) {
    self.store = store
    self.ring = ring
  }

  /// Where a rotation stands.
  package struct Status: Hashable, Sendable {
    /// A key is held to which the database hasn't moved: the id.
    package let next: [UInt8]?
    /// Ids of held keys that sealed before.
    package let former: [[UInt8]]
    /// Values may be sealed under a former key.
    package let isResealing: Bool
    /// When the current key began to seal; nil if it always did.
    package let rotatedAt: Date?
  }

  /// Stamps a new database with the key that seals.
  package static func stamp(_ transaction: any StoreTransaction, with key: MasterKey) throws {
    try transaction.setServerValue(Value.check, to: key.checkValue)
    try transaction.setServerValue(Value.id, to: key.id)
  }

  /// Lets the ring seal with the key that the database names.
  ///
  /// - Returns: False if the ring doesn't hold it: nothing of the database would open.
  package static func select(in ring: MasterKeyRing, store: any Store) async throws -> Bool {
    guard let check = try await store.read({ try $0.serverValue(Value.check) }) else {
      return false
    }
    return ring.select(checkValue: check)
  }

  package func status() async throws -> Status {
    let (former, resealing, rotatedAt) = try await store.read { transaction in
      (
        try transaction.serverValue(Value.former) ?? [],
        try transaction.serverValue(Value.resealing) ?? [],
        try transaction.serverValue(Value.rotatedAt)
      )
    }
    let checks = Self.checkValues(former)
    let others = ring.keys.filter { $0.id != ring.current.id }
    let isFormer = { (key: MasterKey) in checks.contains(key.checkValue) }
    let seconds = rotatedAt.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    return Status(
      next: others.first { !isFormer($0) }?.id, former: others.filter(isFormer).map(\.id),
      isResealing: !resealing.isEmpty, rotatedAt: seconds.map(Date.init(timeIntervalSince1970:)))
  }

  /// Lets the key of this id, which the ring holds, seal from now on.
  ///
  /// - Returns: False if the ring doesn't hold it, or it seals already.
  package func begin(_ id: [UInt8], now: Date) async throws -> Bool {
    let old = ring.current
    guard let new = ring.keys.first(where: { $0.id == id }), new.id != old.id else { return false }
    try await store.write { transaction in
      let former = Self.checkValues(try transaction.serverValue(Value.former) ?? [])
      let kept = former.filter { $0 != new.checkValue && $0 != old.checkValue }
      try transaction.setServerValue(
        Value.former,
        to: Array((kept + [old.checkValue]).suffix(MasterKeyRing.maximumKeys).joined()))
      try transaction.setServerValue(
        Value.rotatedAt, to: Array(String(now.timeIntervalSince1970).utf8))
      try transaction.setServerValue(Value.resealing, to: [1])
      try Self.stamp(transaction, with: new)
    }
    return ring.select(checkValue: new.checkValue)
  }

  /// Seals everything again, under the key that seals now. May be interrupted and repeated: what is
  /// done is done again.
  ///
  /// - Returns: How many records were sealed.
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
        return providers.count + passwordKeys.count + (webhook == nil ? 0 : 1)
      }
    }
    try await store.write { try $0.setServerValue(Value.resealing, to: []) }
    return count
  }

  /// How many live sessions nobody has refreshed since the current key began to seal: their tokens
  /// are under a former key, and end with it.
  package func sessionsOfFormerKeys() async throws -> Int {
    guard let rotatedAt = try await status().rotatedAt else { return 0 }
    // A server may mint under the former key until it has looked.
    let limit = rotatedAt.addingTimeInterval(Self.secondsUntilServersLook)
    return try await store.read { try $0.countLiveSessions(lastUsedBefore: limit) }
  }

  /// Forgets the former keys: ``status()`` doesn't know them any more.
  package func forgetFormer() async throws {
    try await store.write { try $0.setServerValue(Value.former, to: []) }
  }

  private static let secondsUntilServersLook: TimeInterval = 10
  private static let checkValueBytes = SHA256.byteCount

  /// The check values in the server value `masterKeyFormer`.
  package static func checkValues(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: checkValueBytes).map { start in
      Array(bytes[start..<min(start + checkValueBytes, bytes.count)])
    }
  }
}
