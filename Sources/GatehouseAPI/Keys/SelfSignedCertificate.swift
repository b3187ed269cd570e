import Crypto
package import Foundation
package import GatehouseTokens
import SwiftASN1
import X509

/// A certificate (RFC 5280) around one of our public keys, for libraries that want one.
///
/// They look at its public key and at nothing else. It is signed by the key itself, its serial number
/// and times come from the key, and an RSA signature of PKCS #1 v1.5 has no randomness: every start
/// and every server makes the same bytes, so that caches and pins stay good.
package enum SelfSignedCertificate {
  /// Outlives every signing key. Seconds.
  private static let lifetimeSeconds: TimeInterval = 10 * 365 * 86_400
  private static let skewSeconds: TimeInterval = 3600
  /// RFC 5280 §4.1.2.2: at most 20.
  private static let serialNumberBytes = 16

  /// - Returns: PEM, with a line's end after the last line.
  package static func pem(of key: RSASigningKey, publishedAt: Date) throws -> String {
    let name = try DistinguishedName { CommonName("gatehouse") }
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(
        bytes: Array(SHA256.hash(data: key.spkiDER)).prefix(serialNumberBytes)),
      publicKey: Certificate.PublicKey(derEncoded: key.spkiDER),
      notValidBefore: publishedAt.addingTimeInterval(-skewSeconds),
      notValidAfter: publishedAt.addingTimeInterval(lifetimeSeconds), issuer: name, subject: name,
      signatureAlgorithm: .sha256WithRSAEncryption,
      extensions: try Certificate.Extensions { KeyUsage(digitalSignature: true) },
      issuerPrivateKey: Certificate.PrivateKey(derBytes: key.pkcs8DER))
    return try certificate.serializeAsPEM().pemString + "\n"
  }
}
