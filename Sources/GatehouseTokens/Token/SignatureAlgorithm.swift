import Crypto

/// A signature algorithm of JWS (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// The raw value is the `alg` name, compared byte for byte: `rs256` is not accepted. `none` and the
/// HMAC algorithms are not supported.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  /// With Ed25519 only.
  case edDSA = "EdDSA"

  /// The algorithm with the `alg` name `name`, compared byte for byte.
  public init?(name: String) {
    // `init(rawValue:)` would compare canonically.
    guard let known = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) })
    else { return nil }
    self = known
  }
}

/// The hash function that belongs to an `alg`.
enum TokenHash: Sendable {
  case sha256
  case sha384
  case sha512

  func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha384: Array(SHA384.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }
}

extension SignatureAlgorithm {
  var hash: TokenHash {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512, .edDSA: .sha512
    }
  }
}
