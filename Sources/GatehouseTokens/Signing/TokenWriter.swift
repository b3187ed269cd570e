import GatehouseProtocol

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

/// A signed token of ours in the form of those of Google's emulator: `alg` is `none`, and nothing follows the
/// second dot. Admin SDKs of Google that are set to the emulator accept no other form (the one for Node.js) or
/// any form.
///
/// The signed token's header and signature are in the header, where those SDKs ignore them. So this server
/// verifies these tokens like all others, and nobody can make one up.
public enum UnsignedForm {
  private static let member = "signed"
  private static let dot = UInt8(ascii: ".")

  public static func of(_ token: String) -> String {
    let parts = token.utf8.split(separator: dot).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3 else { return token }
    var header = JSONWriter(reservingCapacity: 600)
    header.object {
      $0.member("alg", "none")
      $0.member("typ", "JWT")
      $0.member(member, "\(parts[0]).\(parts[2])")
    }
    return "\(Base64URL.encode(header.bytes)).\(parts[1])."
  }

  /// The signed token; nil for a text of another form.
  public static func signed(in text: String) -> String? {
    let parts = text.utf8.split(separator: dot, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].isEmpty, parts[0].count <= 2048,
      let header = Base64URL.decode(Array(parts[0])),
      let signed = (try? JSONObject(parsing: header))?[member]?.string?.utf8.split(separator: dot),
      signed.count == 2
    else { return nil }
    return [signed[0], parts[1], signed[1]].map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: ".")
  }
}
