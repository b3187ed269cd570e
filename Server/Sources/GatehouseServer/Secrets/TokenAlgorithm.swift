package import GatehouseTokens

/// An algorithm with which this server signs. The raw value is the `alg` of RFC 7518 §3.1.
package enum TokenAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
  /// The default, because Google's Admin SDKs accept no other algorithm.
  case rs256 = "RS256"
  /// P-256, which signs more than ten times faster than RSA.
  case es256 = "ES256"

  package var signature: SignatureAlgorithm {
    switch self {
    case .rs256: .rs256
    case .es256: .es256
    }
  }
}
