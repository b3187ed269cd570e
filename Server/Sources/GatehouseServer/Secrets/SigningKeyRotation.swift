package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Executes the actions of `SigningKeyRing` in the store.
package struct SigningKeyRotation: Sendable {
  private let ring: SigningKeyRecord.Ring
  private let store: any Store

  package init(ring: SigningKeyRecord.Ring, store: any Store) {
    self.ring = ring
    self.store = store
  }

  /// Makes the changes that are due and returns the ring's keys, oldest first. Writes nothing if none
  /// is due.
  package func run(now: Date) async throws -> [SigningKeyRecord] {
    try await apply(now: now) { $0.advance(now: now) }
  }

  /// Signs with another key from now on, ahead of the schedule; see
  /// `SigningKeyRing.rotateNow(now:discardingAll:)`.
  package func rotate(now: Date, discardingAll: Bool) async throws -> [SigningKeyRecord] {
    try await apply(now: now) { $0.rotateNow(now: now, discardingAll: discardingAll) }
  }

  /// Publishes a key that begins to sign when every verifier has had the time to fetch it; see
  /// `SigningKeyRing.rotateSoon(now:)`.
  package func rotateSoon(now: Date) async throws -> [SigningKeyRecord] {
    try await apply(now: now) {
      $0.rotateSoon(now: now)
    } afterAdding: {
      _ = $0.rotateSoon(now: now)
    }
  }

  private func apply(
    now: Date, _ change: @escaping @Sendable (inout SigningKeyRing) -> [SigningKeyRing.Action],
    afterAdding finish: @escaping @Sendable (inout SigningKeyRing) -> Void = { _ in }
  ) async throws -> [SigningKeyRecord] {
    let (ring, schedule) = (ring, ring.schedule)
    let records = try await store.read { try $0.signingKeys(of: ring) }
    var preview = SigningKeyRing(schedule: schedule, records: records.map(\.ringRecord))
    let actions = change(&preview)
    if actions.isEmpty, preview.records == records.map(\.ringRecord) { return records }
    // Generating a key takes tenths of a second, so it is done before the transaction.
    let fresh = actions.contains(.generate) ? try ring.algorithm.generateKey() : nil
    let changed: [SigningKeyRecord]? = try await store.write { transaction in
      let stored = try transaction.signingKeys(of: ring)
      var state = SigningKeyRing(schedule: schedule, records: stored.map(\.ringRecord))
      let actions = change(&state)
      if actions.contains(.generate) {
        // Another server has changed the ring since it was read, and a new key is needed now.
        guard let fresh else { return nil }
        _ = state.add(keyID: fresh.keyID, now: now)
        finish(&state)
      }
      for case .remove(let keyID) in actions {
        try transaction.deleteSigningKey(keyID, of: ring)
      }
      for record in state.records {
        let old = stored.first { $0.keyID.hasSameBytes(as: record.keyID) }
        guard let privateKey = old?.privateKey ?? fresh.map({ Secret($0.pkcs8DER) }) else {
          continue
        }
        let new = SigningKeyRecord(
          keyID: record.keyID, ring: ring, privateKey: privateKey,
          publishedAt: record.publishedAt, signsFrom: record.signsFrom,
          activatedAt: record.activatedAt, retiredAt: record.retiredAt)
        if old?.ringRecord != new.ringRecord { try transaction.save(new) }
      }
      return try transaction.signingKeys(of: ring)
    }
    if let changed { return changed }
    return try await apply(now: now, change, afterAdding: finish)
  }
}

extension SigningKeyRecord {
  /// The part that the state machine works on.
  var ringRecord: SigningKeyRing.Record {
    let state: SigningKeyRing.State =
      retiredAt != nil ? .retired : activatedAt != nil ? .active : .next
    return SigningKeyRing.Record(
      keyID: keyID, state: state, publishedAt: publishedAt, signsFrom: signsFrom,
      activatedAt: activatedAt, retiredAt: retiredAt)
  }
}

extension TokenAlgorithm {
  /// Generates a key. For RSA this takes tenths of a second.
  fileprivate func generateKey() throws -> SigningKey {
    switch self {
    case .rs256: .rsa(try RSASigningKey.generate())
    case .es256: .p256(P256SigningKey.generate())
    }
  }

  /// Reads a private key of this algorithm from the form of ``SigningKeyRecord/privateKey``.
  func key(der: [UInt8]) throws -> SigningKey {
    switch self {
    case .rs256: .rsa(try RSASigningKey(der: der))
    case .es256: .p256(try P256SigningKey(der: der))
    }
  }
}
