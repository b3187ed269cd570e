import Crypto
import Foundation
import GatehouseAccounts
import GatehouseJSON
import SwiftASN1
import Synchronization
import X509

/// The public keys as the map from key id to PEM certificate that Google's libraries fetch.
///
/// They look at the certificate's public key and at nothing else, so who signs it doesn't matter: a
/// key that lives as long as the process.
final class Certificates: Sendable {
  private let services: APIServices
  private let issuer = P256.Signing.PrivateKey()
  private let cache = Mutex<(keyIDs: [String], json: [UInt8])>(([], []))

  /// Outlives every signing key. Seconds.
  private static let lifetimeSeconds: TimeInterval = 10 * 365 * 86_400
  private static let skewSeconds: TimeInterval = 3600

  init(services: APIServices) { self.services = services }

  func map(_ call: Call) throws -> Answer {
    let published = services.idTokenKeys.published
    let known = cache.withLock { $0 }
    if known.keyIDs == published.map(\.keyID) {
      return Answer(json: known.json, cachedSeconds: PublicKeys.cachedSeconds)
    }
    var writer = JSONWriter()
    try writer.object { object in
      for key in published { object.member(key.keyID, try certificate(of: key)) }
    }
    let json = writer.bytes
    cache.withLock { $0 = (published.map(\.keyID), json) }
    return Answer(json: json, cachedSeconds: PublicKeys.cachedSeconds)
  }

  private func certificate(of key: PublishedSigningKey) throws -> String {
    let name = try DistinguishedName { CommonName("gatehouse") }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(derEncoded: key.publicKeyDER),
      notValidBefore: key.publishedAt.addingTimeInterval(-Self.skewSeconds),
      notValidAfter: key.publishedAt.addingTimeInterval(Self.lifetimeSeconds), issuer: name,
      subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions { KeyUsage(digitalSignature: true) },
      issuerPrivateKey: Certificate.PrivateKey(issuer))
    return try certificate.serializeAsPEM().pemString + "\n"
  }
}
