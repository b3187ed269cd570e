package import Foundation
import GatehouseModel
package import GatehouseTokens
import Synchronization

/// One ring of signing keys as it is now: loaded from the store, rotated on its schedule, and read
/// by every request.
package final class SigningKeys: TokenKeys {
  private let ring: SigningKeyRecord.Ring
  private let schedule: SigningKeyRing.Schedule
  private let store: any Store
  private let makeSigner: @Sendable (RSASigningKey) throws -> any TokenSigner
  private let current: Mutex<Current>

  /// What requests see: replaced as a whole.
  fileprivate struct Current {
    let writer: TokenWriter
    let keySet: KeySet
    let published: [PublishedSigningKey]
    let document: [UInt8]
  }

  /// Loads the ring, and makes its first key if there is none.
  ///
  /// - Parameter makeSigner: What signs with a key: libcrypto where it is to be had.
  package static func open(
    _ ring: SigningKeyRecord.Ring, schedule: SigningKeyRing.Schedule, store: any Store, now: Date,
    makeSigner: @escaping @Sendable (RSASigningKey) throws -> any TokenSigner
  ) async throws -> SigningKeys {
    let records = try await SigningKeyRotation(ring: ring, schedule: schedule, store: store)
      .run(now: now)
    return SigningKeys(
      ring, schedule: schedule, store: store, makeSigner: makeSigner,
      current: try Current(records, schedule: schedule, makeSigner: makeSigner))
  }

  private init(
    _ ring: SigningKeyRecord.Ring, schedule: SigningKeyRing.Schedule, store: any Store,
    makeSigner: @escaping @Sendable (RSASigningKey) throws -> any TokenSigner, current: Current
  ) {
    self.ring = ring
    self.schedule = schedule
    self.store = store
    self.makeSigner = makeSigner
    self.current = Mutex(current)
  }

  /// Does what the schedule asks for, and takes over what another process did.
  package func refresh(now: Date) async throws {
    let records = try await SigningKeyRotation(ring: ring, schedule: schedule, store: store)
      .run(now: now)
    let fresh = try Current(records, schedule: schedule, makeSigner: makeSigner)
    current.withLock { $0 = fresh }
  }

  package var writer: TokenWriter { current.withLock { $0.writer } }
  package var keySet: KeySet { current.withLock { $0.keySet } }

  /// The keys that key sets show, the signing one first.
  package var published: [PublishedSigningKey] { current.withLock { $0.published } }

  /// The key set document (RFC 7517 §5).
  package var document: [UInt8] { current.withLock { $0.document } }
}

/// A signing key's public half.
package struct PublishedSigningKey: Sendable {
  package let keyID: String
  /// SubjectPublicKeyInfo, DER (RFC 5280 §4.1.2.7).
  package let publicKeyDER: [UInt8]
  package let publishedAt: Date
}

extension SigningKeys.Current {
  fileprivate init(
    _ records: [SigningKeyRecord], schedule: SigningKeyRing.Schedule,
    makeSigner: (RSASigningKey) throws -> any TokenSigner
  ) throws {
    let ring = SigningKeyRing(schedule: schedule, records: records.map(\.ringRecord))
    var keys: [(record: SigningKeyRecord, key: RSASigningKey)] = []
    for keyID in ring.publishedKeyIDs {
      guard let record = records.first(where: { $0.keyID.hasSameBytes(as: keyID) }) else {
        continue
      }
      keys.append((record, try RSASigningKey(der: record.privateKey.reveal())))
    }
    guard let active = keys.first, ring.activeKeyID?.hasSameBytes(as: active.key.keyID) == true
    else { throw StoreError.damaged("there is no active signing key") }
    writer = TokenWriter(signer: try makeSigner(active.key))
    document = PublicJWK.keySet(try keys.map { try $0.key.publicJWK() })
    keySet = try KeySet(jwks: document)
    published = keys.map {
      PublishedSigningKey(
        keyID: $0.key.keyID, publicKeyDER: $0.key.spkiDER, publishedAt: $0.record.publishedAt)
    }
  }
}
