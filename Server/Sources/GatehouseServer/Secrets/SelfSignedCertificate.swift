import Crypto
package import Foundation
package import GatehouseTokens
import SwiftASN1
import X509

/// A certificate (RFC 5280) for one of this server's public keys, for libraries that require one.
///
/// They read only its public key. It is signed with the key itself, and its serial number and times
/// come from the key. An RSA signature of PKCS #1 v1.5 has no randomness, so every start and every
/// server creates the same bytes for an RSA key, and caches and pins stay valid. A signature of ECDSA
/// is random: certificates of a P-256 key differ in their last bytes.
package enum SelfSignedCertificate {
  /// Longer than the life of any signing key. Seconds.
  private static let lifetimeSeconds: TimeInterval = 10 * 365 * 86_400
  private static let skewSeconds: TimeInterval = 3600
  /// RFC 5280 §4.1.2.2: at most 20.
  private static let serialNumberBytes = 16

  /// - Returns: PEM, with a line break after the last line.
  package static func pem(of key: SigningKey, publishedAt: Date) throws -> String {
    let name = try DistinguishedName { CommonName("gatehouse") }
    let certificate = try Certificate(
      version: .v3,
      serialNumber: Certificate.SerialNumber(
        bytes: Array(SHA256.hash(data: key.spkiDER)).prefix(serialNumberBytes)),
      publicKey: Certificate.PublicKey(derEncoded: key.spkiDER),
      notValidBefore: publishedAt.addingTimeInterval(-skewSeconds),
      notValidAfter: publishedAt.addingTimeInterval(lifetimeSeconds), issuer: name, subject: name,
      signatureAlgorithm: key.certificateSignature,
      extensions: try Certificate.Extensions { KeyUsage(digitalSignature: true) },
      issuerPrivateKey: Certificate.PrivateKey(derBytes: key.pkcs8DER))
    return try certificate.serializeAsPEM().pemString + "\n"
  }
}

extension SigningKey {
  fileprivate var certificateSignature: Certificate.SignatureAlgorithm {
    switch self {
    case .rsa: .sha256WithRSAEncryption
    case .p256: .ecdsaWithSHA256
    }
  }
}
