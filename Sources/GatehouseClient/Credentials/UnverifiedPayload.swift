import Foundation
import GatehouseJSON

/// What a JWT says, without any check of who said it (RFC 7519 §7.2 ends where this begins).
///
/// Good for two things: what came from our own server over TLS, and the key under which something is
/// kept on this device. Nothing may be *decided* by it.
struct UnverifiedPayload {
  let claims: JSONObject

  /// The longest token that is looked into, in bytes.
  private static let longest = 1 << 16

  /// Nil for what isn't three parts whose second is an object in base64url without padding.
  init?(_ token: String) {
    guard token.utf8.count <= Self.longest else { return nil }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Self.base64URL(parts[1]),
      let claims = try? JSONObject(parsing: bytes)
    else { return nil }
    self.claims = claims
  }

  /// Whom the token is about: 1 to 255 bytes (OpenID Connect Core §2).
  var subject: String? {
    guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count) else {
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
