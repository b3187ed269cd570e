import Crypto
import CryptoExtras
import Foundation

/// A key with which a provider signs, and its published key id: an RSA key of 2048 bits, and a
/// P-256 key for `ES256`. Only one of the two is published at a time.
package struct SigningKey: Sendable {
  let id: String
  private let key: _RSA.Signing.PrivateKey
  private let ellipticKey = P256.Signing.PrivateKey()
  /// Signs nothing: see ``unrelatedJWK(_:)``.
  private let unrelatedKey = P256.Signing.PrivateKey()

  /// Takes about a tenth of a second.
  package init() throws {
    id = RandomToken.hex(bytes: 10)
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
  }

  /// - Parameter clientSecret: The key for `HS256` (OpenID Connect Core §10.1).
  func signature(
    of bytes: Data, _ algorithm: SigningAlgorithm, clientSecret: String
  ) throws -> Data {
    switch algorithm {
    case .none: Data()
    case .hs256:
      Data(
        HMAC<SHA256>.authenticationCode(
          for: bytes, using: SymmetricKey(data: Data(clientSecret.utf8))))
    case .es256: try ellipticKey.signature(for: bytes).rawRepresentation
    case .rs256:
      try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        .rawRepresentation
    case .rs384:
      try key.signature(for: SHA384.hash(data: bytes), padding: .insecurePKCS1v1_5)
        .rawRepresentation
    case .rs512:
      try key.signature(for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5)
        .rawRepresentation
    case .ps256:
      try key.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation
    }
  }

  /// RFC 7517 §4, RFC 7518 §6.2.1 and §6.3.1.
  func publicJWK(_ algorithm: SigningAlgorithm) throws -> [String: JSONValue] {
    if algorithm == .es256 { return jwk(of: ellipticKey) }
    let numbers = try key.publicKey.getKeyPrimitives()
    return [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id),
      "n": .string(Base64URL.text(numbers.modulus)),
      "e": .string(Base64URL.text(numbers.publicExponent)),
    ]
  }

  /// Another public key with the same id and of the same type, the same in every response. No
  /// token is signed with its private key.
  func unrelatedJWK(_ algorithm: SigningAlgorithm) throws -> [String: JSONValue] {
    if algorithm == .es256 { return jwk(of: unrelatedKey) }
    var key = try publicJWK(algorithm)
    key["n"] = key["n"]?.stringValue.map { .string(Self.otherModulus($0)) }
    return key
  }

  private func jwk(of key: P256.Signing.PrivateKey) -> [String: JSONValue] {
    let point = key.publicKey.rawRepresentation
    return [
      "kty": "EC", "use": "sig", "alg": "ES256", "kid": .string(id), "crv": "P-256",
      "x": .string(Base64URL.text(point.prefix(32))),
      "y": .string(Base64URL.text(point.suffix(32))),
    ]
  }

  /// Another modulus of the same length. Creating another RSA key would take a tenth of a second.
  private static func otherModulus(_ text: String) -> String {
    guard var bytes = Base64URL.bytes(text), bytes.count > 2 else { return text }
    bytes[bytes.startIndex + bytes.count / 2] ^= 0xFF
    return Base64URL.text(bytes)
  }
}

/// The algorithm that signs ID tokens (RFC 7518 §3.1). The raw value is the `alg`.
enum SigningAlgorithm: String, Sendable, Codable, Equatable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case es256 = "ES256"
  /// HMAC with the client's secret.
  case hs256 = "HS256"
  /// Unsigned: the signature is empty.
  case none

  /// Whether the provider publishes a key for this algorithm.
  var hasPublicKey: Bool { self != .hs256 && self != .none }
}

/// The key with which a provider signs, and older keys that it still publishes.
struct SigningKeys: Sendable {
  private static let maximumKept = 4

  private(set) var current: SigningKey
  private var kept: [SigningKey] = []

  init(current: SigningKey) { self.current = current }

  mutating func rotate(to next: SigningKey, keepOld: Bool) {
    kept = keepOld ? Array(([current] + kept).prefix(Self.maximumKept)) : []
    current = next
  }

  /// The published keys, newest first.
  func publicJWKs(_ algorithm: SigningAlgorithm) throws -> [[String: JSONValue]] {
    try ([current] + kept).map { try $0.publicJWK(algorithm) }
  }
}

/// One of a provider's sets of signing keys: see ``GrantRules/keyRings``.
struct KeyRing: Sendable, Hashable {
  let provider: Provider
  let name: String
}

extension SimulatorState {
  /// Returns the keys of a ring, and creates a key if there is none yet. Creating all keys
  /// at the start would take most of the start's time.
  mutating func signingKeys(of ring: KeyRing) throws -> SigningKeys {
    if let made = keys[ring] { return made }
    if ring.provider.isMadeByTest {
      // A test that creates a provider shouldn't wait for a key.
      return try signingKeys(of: KeyRing(provider: Provider(ring.provider.kind), name: ring.name))
    }
    let made = SigningKeys(current: try makeSigningKey())
    keys[ring] = made
    return made
  }

  /// The provider's key set (RFC 7517 §5), with the configured faults.
  mutating func keySet(of provider: Provider) throws -> JSONValue {
    let faults = self.faults.tokens[provider]
    let algorithm = faults?.algorithm ?? .rs256
    var unrelated: [JSONValue] = []
    var own: [JSONValue] = []
    for name in provider.kind.keyRings {
      func published(_ key: [String: JSONValue]) -> JSONValue {
        var key = provider.kind.published(key, of: name)
        faults?.apply(toKey: &key)
        return .object(key)
      }
      let ring = try signingKeys(of: KeyRing(provider: provider, name: name))
      own += try ring.publicJWKs(algorithm).map(published)
      if faults?.duplicateKey == true {
        unrelated.append(published(try ring.current.unrelatedJWK(algorithm)))
      }
    }
    return ["keys": .array(unrelated + (faults?.addKeys ?? []) + own)]
  }

  /// - Parameter keepOld: Whether the old key stays published, so that existing tokens still
  ///   verify.
  /// - Returns: The id of the new key; of the first one if the provider has several rings.
  mutating func rotateKeys(of provider: Provider, keepOld: Bool) throws -> String {
    var made: [String] = []
    for name in provider.kind.keyRings {
      let ring = KeyRing(provider: provider, name: name)
      var rotated = try signingKeys(of: ring)
      rotated.rotate(to: try makeSigningKey(), keepOld: keepOld)
      keys[ring] = rotated
      made.append(rotated.current.id)
    }
    return made.first ?? ""
  }
}
