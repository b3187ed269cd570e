import GatehouseProtocol

/// A public key of this server as an entry of a key set: RSA for RS256, P-256 for ES256.
public struct PublicJWK: Sendable, Hashable {
  public let keyID: String
  public let material: Material

  public enum Material: Sendable, Hashable {
    /// RFC 7518 §6.3.1.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// RFC 7518 §6.2.1. Each coordinate has 32 bytes.
    case p256(x: [UInt8], y: [UInt8])
  }

  public init(keyID: String, material: Material) {
    self.keyID = keyID
    self.material = material
  }

  /// The key set document with these keys (RFC 7517 §5).
  public static func keySet(_ keys: [PublicJWK]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.array("keys") { entries in
        for key in keys { key.write(to: &entries) }
      }
    }
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    writer.object { entry in
      switch material {
      case .rsa(let modulus, let exponent):
        entry.member("kty", "RSA")
        entry.member("alg", SignatureAlgorithm.rs256.rawValue)
        entry.member("use", "sig")
        entry.member("kid", keyID)
        // "Base64urlUInt": no leading zeros (RFC 7518 §2).
        entry.member("n", Base64URL.encode(Array(modulus.drop { $0 == 0 })))
        entry.member("e", Base64URL.encode(Array(exponent.drop { $0 == 0 })))
      case .p256(let x, let y):
        entry.member("kty", "EC")
        entry.member("crv", "P-256")
        entry.member("alg", SignatureAlgorithm.es256.rawValue)
        entry.member("use", "sig")
        entry.member("kid", keyID)
        entry.member("x", Base64URL.encode(x))
        entry.member("y", Base64URL.encode(y))
      }
    }
  }
}
