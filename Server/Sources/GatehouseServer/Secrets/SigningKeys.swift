package import Foundation
import GatehouseProtocol
package import GatehouseTokens
import Metrics
import Synchronization

/// One ring of signing keys as it is now: loaded from the store, rotated on its schedule, and read
/// by every request.
package final class SigningKeys: Sendable {
  private let ring: SigningKeyRecord.Ring
  private let store: any Store
  private let forms: any SigningKeyForms
  private let current: Mutex<Current>

  /// The keys that requests use. They are replaced together.
  fileprivate struct Current {
    let writer: TokenWriter
    let keySet: KeySet
    let published: [PublishedSigningKey]
    /// When the signing key was published.
    let publishedAt: Date
  }

  /// Loads the ring, and creates its first key if there is none.
  package static func open(
    _ ring: SigningKeyRecord.Ring, store: any Store, forms: any SigningKeyForms, now: Date
  ) async throws -> SigningKeys {
    let records = try await SigningKeyRotation(ring: ring, store: store).run(now: now)
    let keys = SigningKeys(
      ring, store: store, forms: forms, current: try Current(records, of: ring, forms: forms))
    keys.measure(now: now)
    return keys
  }

  private init(
    _ ring: SigningKeyRecord.Ring, store: any Store, forms: any SigningKeyForms, current: Current
  ) {
    self.ring = ring
    self.store = store
    self.forms = forms
    self.current = Mutex(current)
  }

  /// Rotates keys if the schedule requires it, and loads the changes of other processes.
  package func refresh(now: Date) async throws {
    let records = try await SigningKeyRotation(ring: ring, store: store).run(now: now)
    let fresh = try Current(records, of: ring, forms: forms)
    current.withLock { $0 = fresh }
    measure(now: now)
  }

  private func measure(now: Date) {
    let publishedAt = current.withLock { $0.publishedAt }
    Metric.keyAgeSeconds.gauge(("kind", ring.rawValue)).record(now.timeIntervalSince(publishedAt))
  }

  package var writer: TokenWriter { current.withLock { $0.writer } }
  package var keySet: KeySet { current.withLock { $0.keySet } }

  /// The published keys, the signing one first.
  package var published: [PublishedSigningKey] { current.withLock { $0.published } }

  /// The key set document (RFC 7517 §5) of this ring alone.
  package var document: [UInt8] { PublicJWK.keySet(published.map(\.jwk)) }
}

/// A signing key's public half.
package struct PublishedSigningKey: Sendable {
  package let keyID: String
  package let jwk: PublicJWK
  /// A self-signed certificate in PEM. The certificate of an RSA key is the same at every start.
  package let certificate: String
}

/// Creates the forms of a signing key that the domain can't create.
package protocol SigningKeyForms: Sendable {
  /// A signer with the key. It uses libcrypto if that is available and faster.
  func signer(with key: SigningKey) throws -> any TokenSigner

  /// A self-signed certificate of the key in PEM. For an RSA key each call returns the same certificate.
  func certificate(of key: SigningKey, publishedAt: Date) throws -> String
}

extension SigningKeyRecord.Ring {
  package var schedule: SigningKeyRing.Schedule {
    switch self {
    case .idTokens, .idTokensES256: .idTokens
    case .sessionCookies, .sessionCookiesES256: .sessionCookies
    case .eventLog: .eventLog
    }
  }

  /// `typ` of the tokens that the ring signs. Firebase's session cookies have none.
  fileprivate var tokenType: String? {
    switch self {
    case .idTokens, .idTokensES256: "JWT"
    case .sessionCookies, .sessionCookiesES256: nil
    case .eventLog: EventCheckpoint.tokenType
    }
  }
}

extension SigningKeys.Current {
  fileprivate init(
    _ records: [SigningKeyRecord], of ring: SigningKeyRecord.Ring, forms: any SigningKeyForms
  ) throws {
    let state = SigningKeyRing(schedule: ring.schedule, records: records.map(\.ringRecord))
    var keys: [(record: SigningKeyRecord, key: SigningKey)] = []
    for keyID in state.publishedKeyIDs {
      guard let record = records.first(where: { $0.keyID.hasSameBytes(as: keyID) }) else {
        continue
      }
      keys.append((record, try ring.algorithm.key(der: record.privateKey.reveal())))
    }
    guard let active = keys.first, state.activeKeyID?.hasSameBytes(as: active.key.keyID) == true
    else { throw StoreError.damaged("there is no active signing key") }
    publishedAt = active.record.publishedAt
    writer = TokenWriter(signer: try forms.signer(with: active.key), type: ring.tokenType)
    published = try keys.map {
      PublishedSigningKey(
        keyID: $0.key.keyID, jwk: try $0.key.publicJWK(),
        certificate: try forms.certificate(of: $0.key, publishedAt: $0.record.publishedAt))
    }
    keySet = try KeySet(jwks: PublicJWK.keySet(published.map(\.jwk)))
  }
}
