import Crypto
import CryptoExtras
import Foundation

/// A provider's RSA key of 2048 bits and the name it is published under.
package struct SigningKey: Sendable {
  let id: String
  private let key: _RSA.Signing.PrivateKey

  /// Takes about a tenth of a second.
  package init() throws {
    id = RandomToken.hex(bytes: 10)
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
  }

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  func signature(of bytes: Data) throws -> Data {
    try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation
  }

  /// RFC 7517 §4, RFC 7518 §6.3.1.
  func publicJWK() throws -> JSONValue {
    let numbers = try key.publicKey.getKeyPrimitives()
    return [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id),
      "n": .string(Base64URL.text(numbers.modulus)),
      "e": .string(Base64URL.text(numbers.publicExponent)),
    ]
  }
}

/// The key a provider signs with, and those it still publishes.
struct SigningKeys: Sendable {
  private static let maximumKept = 4

  private(set) var current: SigningKey
  private var kept: [SigningKey] = []

  init(current: SigningKey) { self.current = current }

  mutating func rotate(to next: SigningKey, keepOld: Bool) {
    kept = keepOld ? Array(([current] + kept).prefix(Self.maximumKept)) : []
    current = next
  }

  /// The key set, RFC 7517 §5.
  func jwks() throws -> JSONValue {
    ["keys": .array(try ([current] + kept).map { try $0.publicJWK() })]
  }
}

extension SimulatorState {
  /// Makes the key of a provider when it is first needed: making all of them at the start would be
  /// most of the time a start takes.
  mutating func signingKeys(of provider: Provider) throws -> SigningKeys {
    if let made = keys[provider] { return made }
    let made = SigningKeys(current: try makeSigningKey())
    keys[provider] = made
    return made
  }

  /// - Parameter keepOld: Whether tokens signed until now can still be verified.
  /// - Returns: The id of the new key.
  mutating func rotateKeys(of provider: Provider, keepOld: Bool) throws -> String {
    var rotated = try signingKeys(of: provider)
    rotated.rotate(to: try makeSigningKey(), keepOld: keepOld)
    keys[provider] = rotated
    return rotated.current.id
  }
}
