import Crypto
import CryptoExtras
import Foundation

/// What a provider signs with, and the name it is published under: an RSA key of 2048 bits, and one on
/// P-256 for those who ask for `ES256`. Only one of them is published at a time.
package struct SigningKey: Sendable {
  let id: String
  private let key: _RSA.Signing.PrivateKey
  private let ellipticKey = P256.Signing.PrivateKey()

  /// Takes about a tenth of a second.
  package init() throws {
    id = RandomToken.hex(bytes: 10)
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
  }

  /// - Parameter clientSecret: What `HS256` signs with (OpenID Connect Core §10.1).
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
    if algorithm == .es256 {
      let point = ellipticKey.publicKey.rawRepresentation
      return [
        "kty": "EC", "use": "sig", "alg": "ES256", "kid": .string(id), "crv": "P-256",
        "x": .string(Base64URL.text(point.prefix(32))),
        "y": .string(Base64URL.text(point.suffix(32))),
      ]
    }
    let numbers = try key.publicKey.getKeyPrimitives()
    return [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id),
      "n": .string(Base64URL.text(numbers.modulus)),
      "e": .string(Base64URL.text(numbers.publicExponent)),
    ]
  }
}

/// What ID tokens are signed with (RFC 7518 §3.1). The raw value is the `alg`.
enum SigningAlgorithm: String, Sendable, Codable, Equatable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case es256 = "ES256"
  /// With the client's secret.
  case hs256 = "HS256"
  /// Not at all: the signature is empty.
  case none

  /// Whether a key of the provider's is published for it.
  var hasPublicKey: Bool { self != .hs256 && self != .none }
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

  /// The published keys, the newest first.
  func publicJWKs(_ algorithm: SigningAlgorithm) throws -> [[String: JSONValue]] {
    try ([current] + kept).map { try $0.publicJWK(algorithm) }
  }
}

/// One of the sets of signing keys of a provider: see ``GrantRules/keyRings``.
struct KeyRing: Sendable, Hashable {
  let provider: Provider
  let name: String
}

extension SimulatorState {
  /// Makes a key when it is first needed: making all of them at the start would be most of the time a
  /// start takes.
  mutating func signingKeys(of ring: KeyRing) throws -> SigningKeys {
    if let made = keys[ring] { return made }
    if ring.provider.isMadeByTest {
      // A test that makes a provider shouldn't wait for a key.
      return try signingKeys(of: KeyRing(provider: Provider(ring.provider.kind), name: ring.name))
    }
    let made = SigningKeys(current: try makeSigningKey())
    keys[ring] = made
    return made
  }

  /// The key set (RFC 7517 §5), faults included.
  mutating func keySet(of provider: Provider) throws -> JSONValue {
    let algorithm = faults.tokens[provider]?.algorithm ?? .rs256
    var keys: [[String: JSONValue]] = []
    for ring in provider.kind.keyRings {
      keys += try signingKeys(of: KeyRing(provider: provider, name: ring)).publicJWKs(algorithm)
        .map { provider.kind.published($0, of: ring) }
    }
    guard let faults = faults.tokens[provider] else {
      return ["keys": .array(keys.map(JSONValue.object))]
    }
    for index in keys.indices { faults.apply(toKey: &keys[index]) }
    if faults.duplicateKey == true, var other = keys.first {
      other["n"] = other["n"]?.stringValue.map { .string(Self.otherModulus($0)) }
      keys.insert(other, at: 0)
    }
    return ["keys": .array((faults.addKeys ?? []) + keys.map(JSONValue.object))]
  }

  /// A modulus of the same length, that nobody has the private key of.
  private static func otherModulus(_ text: String) -> String {
    guard var bytes = Base64URL.bytes(text), bytes.count > 2 else { return text }
    bytes[bytes.startIndex + bytes.count / 2] ^= 0xFF
    return Base64URL.text(bytes)
  }

  /// - Parameter keepOld: Whether tokens signed until now can still be verified.
  /// - Returns: The id of the new key, the first if the provider has several rings.
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
