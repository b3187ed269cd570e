import Crypto
import Foundation

/// A JWT of a client, signed on P-256 whatever its header says.
enum SignedJWT {
  static func text(
    header: [String: Any], claims: [String: Any], _ key: P256.Signing.PrivateKey
  ) throws -> String {
    let parts = try [header, claims].map {
      IDToken.encode(try JSONSerialization.data(withJSONObject: $0))
    }
    let signingInput = parts.joined(separator: ".")
    let signature = try key.signature(for: Data(signingInput.utf8)).rawRepresentation
    return "\(signingInput).\(IDToken.encode(signature))"
  }
}
