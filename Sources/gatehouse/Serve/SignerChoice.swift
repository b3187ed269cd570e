import GatehouseOpenSSL
import GatehouseTokens

/// What signs our tokens: libcrypto, up to twice as fast at RSA, or swift-crypto where
/// libcrypto refuses the key.
enum SignerChoice {
  static func make(_ key: RSASigningKey) throws -> any TokenSigner {
    if let fast = try? OpenSSLRS256Signer(key: key) { return fast }
    return RS256Signer(key: key)
  }
}
