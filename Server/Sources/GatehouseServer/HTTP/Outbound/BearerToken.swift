import GatehouseProtocol

/// An access token that may be put into the header `Authorization`: 1 to 4096 bytes, all of them
/// characters of `b64token` (RFC 6750 §2.1).
///
/// The form is checked because the token comes from an app: a line break in it would add a header
/// to the request.
struct BearerToken: Sendable {
  private static let maximumBytes = 4096

  let secret: Secret<String>

  /// - Returns: Nil if the token is empty, too long, or has another character.
  init?(_ secret: Secret<String>) {
    let bytes = secret.reveal().utf8
    guard (1...Self.maximumBytes).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.secret = secret
  }

  /// The `Authorization` header's value.
  var authorization: Secret<String> { Secret("Bearer " + secret.reveal()) }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~+/=".utf8.contains(byte)
  }
}
