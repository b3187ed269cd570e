import Foundation

/// base64url without padding (RFC 7515 §2).
enum Base64URL {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-")
      .replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// - Returns: Nil for padding, another alphabet, or a length that encodes no whole number of
  ///   bytes.
  static func bytes(_ text: some StringProtocol) -> Data? {
    let text = String(text)
    guard text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2F && $0 != 0x3D }) else { return nil }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    return Data(base64Encoded: standard + padding)
  }
}

enum Hex {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }
}
