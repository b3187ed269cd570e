import Foundation
import GatehouseServer
import GatehouseTokens

/// How this program signs with its signing keys, and creates their certificates.
struct KeyForms: SigningKeyForms {
  /// RSA keys sign with libcrypto, which is up to twice as fast, or with swift-crypto if libcrypto
  /// rejects the key.
  func signer(with key: SigningKey) throws -> any TokenSigner {
    switch key {
    case .rsa(let key):
      if let fast = try? OpenSSLRS256Signer(key: key) { return fast }
      return RS256Signer(key: key)
    case .p256(let key): return ES256Signer(key: key)
    }
  }

  func certificate(of key: SigningKey, publishedAt: Date) throws -> String {
    try SelfSignedCertificate.pem(of: key, publishedAt: publishedAt)
  }
}
