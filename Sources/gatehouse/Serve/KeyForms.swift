import Foundation
import GatehouseAPI
import GatehouseAccounts
import GatehouseSystemCrypto
import GatehouseTokens

/// What becomes of our signing keys in this program.
struct KeyForms: SigningKeyForms {
  /// libcrypto, up to twice as fast at RSA, or swift-crypto where libcrypto refuses the key.
  func signer(with key: RSASigningKey) throws -> any TokenSigner {
    if let fast = try? OpenSSLRS256Signer(key: key) { return fast }
    return RS256Signer(key: key)
  }

  func certificate(of key: RSASigningKey, publishedAt: Date) throws -> String {
    try SelfSignedCertificate.pem(of: key, publishedAt: publishedAt)
  }
}
