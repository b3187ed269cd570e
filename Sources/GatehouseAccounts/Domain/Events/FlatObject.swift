import Foundation

/// A JSON object with only string values, in one form: sorted by name, and with only the required
/// escapes.
///
/// This code doesn't write with `JSONEncoder`: each sign-in writes and reads several objects, and
/// an event's digest depends on their bytes, which a library may change.
enum FlatObject {
  static func text(_ members: [(name: String, value: String)]) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (name, value) in members {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      write(name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      write(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nil for a text that isn't a JSON object with only string values.
  static func members(_ text: String) -> [String: String]? {
    if text.utf8.count == 2, text == "{}" { return [:] }
    return try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    bytes.append(quote)
    for byte in text.utf8 {
      switch byte {
      case quote, backslash: bytes += [backslash, byte]
      case 0..<0x20:
        bytes += Array("\\u00".utf8)
        bytes += Array(byte < 0x10 ? "0".utf8 : "".utf8) + Array(String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(quote)
  }
}
