import GatehouseProtocol

/// `application/x-www-form-urlencoded` (RFC 6749 appendix B).
package enum FormEncoding {
  static func encode(_ fields: [OutboundRequest.FormField]) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      append(field.name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      append(field.value.reveal(), to: &bytes)
    }
    return bytes
  }

  /// One name or value, escaped. RFC 6749 §2.3.1 requires this for the client id and secret in HTTP
  /// Basic.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
  }

  /// RFC 3986 §2.3. A space becomes `%20`, which every form decoder accepts.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
  }
}
