import Foundation
import GatehouseProtocol

/// The claims of a JWT, decoded without verifying the token (RFC 7519 §7.2).
///
/// It has two uses: to read tokens that came from the Gatehouse server over TLS, and to find data
/// that is stored on this device by its subject. Never make a security decision by it.
struct UnverifiedPayload {
  let claims: JSONObject

  /// The longest token that is decoded, in bytes.
  private static let longest = 1 << 16

  /// Nil if the token doesn't have three parts, or the second isn't an object in base64url without
  /// padding.
  init?(_ token: String) {
    guard token.utf8.count <= Self.longest else { return nil }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Self.base64URL(parts[1]),
      let claims = try? JSONObject(parsing: bytes)
    else { return nil }
    self.claims = claims
  }

  /// The subject of the token: 1 to 256 bytes. OpenID Connect Core §2 allows 255, but the id of an account
  /// may have 256.
  var subject: String? {
    guard let subject = claims["sub"]?.string, (1...256).contains(subject.utf8.count) else {
      return nil
    }
    return subject
  }

  private static func base64URL(_ text: some Collection<UInt8>) -> [UInt8]? {
    var standard: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(byte)
      }
    }
    while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(standard)).map(Array.init)
  }
}
