import GatehouseJSON

/// Creates compact tokens with one signer. All tokens have the same header, which is encoded once.
public struct TokenWriter: Sendable {
  public let signer: any TokenSigner

  /// The encoded header and its dot.
  private let prefix: [UInt8]

  /// - Parameters:
  ///   - signer: Determines the header's `alg` and `kid`.
  ///   - type: `typ`; nil leaves it out (Apple's client secrets have none).
  public init(signer: any TokenSigner, type: String? = "JWT") {
    self.signer = signer
    var header = JSONWriter(reservingCapacity: 128)
    header.object {
      $0.member("alg", signer.algorithm.rawValue)
      $0.member("kid", signer.keyID)
      $0.member("typ", ifPresent: type)
    }
    var prefix: [UInt8] = []
    Base64URL.append(header.bytes, to: &prefix)
    prefix.append(UInt8(ascii: "."))
    self.prefix = prefix
  }

  /// The compact form of a token with this payload.
  ///
  /// - Parameter payload: One JSON object, such as ``ClaimsWriter`` writes. It is not checked.
  /// - Throws: The signer's error.
  public func token(payload: [UInt8]) throws -> String {
    var text: [UInt8] = []
    // Room for an RSA signature of 2048 bits.
    text.reserveCapacity(prefix.count + payload.count * 4 / 3 + 350)
    text.append(contentsOf: prefix)
    Base64URL.append(payload, to: &text)
    let signature = try signer.sign(text)
    text.append(UInt8(ascii: "."))
    Base64URL.append(signature, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
