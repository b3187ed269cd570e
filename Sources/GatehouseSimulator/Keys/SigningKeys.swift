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

  func signature(of bytes: Data, _ algorithm: SigningAlgorithm) throws -> Data {
    switch algorithm {
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

  /// RFC 7517 §4, RFC 7518 §6.3.1.
  func publicJWK() throws -> [String: JSONValue] {
    let numbers = try key.publicKey.getKeyPrimitives()
    return [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id),
      "n": .string(Base64URL.text(numbers.modulus)),
      "e": .string(Base64URL.text(numbers.publicExponent)),
    ]
  }
}

/// What the simulator's RSA keys sign with (RFC 7518 §3.1). The raw value is the `alg`.
enum SigningAlgorithm: String, Sendable, Codable, Equatable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
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
  func publicJWKs() throws -> [[String: JSONValue]] {
    try ([current] + kept).map { try $0.publicJWK() }
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

  /// The key set (RFC 7517 §5), faults included.
  mutating func keySet(of provider: Provider) throws -> JSONValue {
    var keys = try signingKeys(of: provider).publicJWKs()
    guard let faults = faults.tokens[provider] else {
      return ["keys": .array(keys.map(JSONValue.object))]
    }
    for index in keys.indices { faults.apply(toKey: &keys[index]) }
    if faults.duplicateKey == true, var other = keys.first {
      other["n"] = other["n"]?.stringValue.map { .string(Self.otherModulus($0)) }
      keys.insert(other, at: 0)
    }
    return ["keys": .array(keys.map(JSONValue.object))]
  }

  /// A modulus of the same length, that nobody has the private key of.
  private static func otherModulus(_ text: String) -> String {
    guard var bytes = Base64URL.bytes(text), bytes.count > 2 else { return text }
    bytes[bytes.startIndex + bytes.count / 2] ^= 0xFF
    return Base64URL.text(bytes)
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
