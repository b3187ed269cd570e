import Foundation
import GatehouseAPI
import GatehouseAccounts
import GatehouseSystemCrypto
import GatehouseTokens

/// How this program signs with its signing keys, and creates their certificates.
struct KeyForms: SigningKeyForms {
  /// Signs with libcrypto, which is up to twice as fast at RSA, or with swift-crypto if libcrypto
  /// rejects the key.
  func signer(with key: RSASigningKey) throws -> any TokenSigner {
    if let fast = try? OpenSSLRS256Signer(key: key) { return fast }
    return RS256Signer(key: key)
  }

  func certificate(of key: RSASigningKey, publishedAt: Date) throws -> String {
    try SelfSignedCertificate.pem(of: key, publishedAt: publishedAt)
  }
}
