import Crypto
import CryptoExtras

/// RS256 with swift-crypto. The server uses it only if libcrypto can't read a key: signing with
/// libcrypto can be faster (`GatehouseSystemCrypto`).
public struct RS256Signer: TokenSigner {
  private let key: RSASigningKey

  public var algorithm: SignatureAlgorithm { .rs256 }
  public var keyID: String { key.keyID }

  public init(key: RSASigningKey) { self.key = key }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    let signature = try key.privateKey.signature(
      for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    return Array(signature.rawRepresentation)
  }
}
