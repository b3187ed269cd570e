import GatehouseServer
import GatehouseTokens

/// One RSA key for each ring, shared by all tests: generating one takes long.
enum SharedKey {
  private static let signing = Result { try RSASigningKey.generate() }
  private static let cookies = Result { try RSASigningKey.generate() }
  private static let stranger = Result { try RSASigningKey.generate() }

  static func keys() throws -> any TokenKeys { try FixedKeys(signing.get()) }

  static func cookieKeys() throws -> any TokenKeys { try FixedKeys(cookies.get()) }

  static func cookieKey() throws -> RSASigningKey { try cookies.get() }

  static func key() throws -> RSASigningKey { try signing.get() }

  /// A key that isn't the server's.
  static func strangersKey() throws -> RSASigningKey { try stranger.get() }

  static func writer() throws -> TokenWriter {
    TokenWriter(signer: RS256Signer(key: try signing.get()))
  }

  private struct FixedKeys: TokenKeys {
    private let rs256: TokenWriter
    private let es256: TokenWriter
    let keySet: KeySet

    init(_ key: RSASigningKey) throws {
      let other = P256SigningKey.generate()
      rs256 = TokenWriter(signer: RS256Signer(key: key))
      es256 = TokenWriter(signer: ES256Signer(key: other))
      keySet = try KeySet(jwks: PublicJWK.keySet([try key.publicJWK(), other.publicJWK]))
    }

    func writer(_ algorithm: TokenAlgorithm) -> TokenWriter {
      switch algorithm {
      case .rs256: rs256
      case .es256: es256
      }
    }
  }
}
