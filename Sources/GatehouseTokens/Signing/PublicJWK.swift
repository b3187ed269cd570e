import GatehouseJSON

/// An RSA public key as an entry of a key set (RFC 7518 §6.3.1), for RS256.
public struct PublicJWK: Sendable, Hashable {
  public let keyID: String
  public let modulus: [UInt8]
  public let exponent: [UInt8]

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
    writer.object {
      $0.member("kty", "RSA")
      $0.member("alg", SignatureAlgorithm.rs256.rawValue)
      $0.member("use", "sig")
      $0.member("kid", keyID)
      // "Base64urlUInt": no leading zeros (RFC 7518 §2).
      $0.member("n", Base64URL.encode(Array(modulus.drop { $0 == 0 })))
      $0.member("e", Base64URL.encode(Array(exponent.drop { $0 == 0 })))
    }
  }
}
