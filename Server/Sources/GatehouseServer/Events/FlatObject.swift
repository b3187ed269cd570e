import Foundation

/// A JSON object with only string values, in one form: in the order of the given members, and with
/// only the required escapes.
///
/// Doesn't write with `JSONEncoder`: each sign-in writes and reads several objects, and an event's
/// digest depends on their bytes, which a new version of the library could change.
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
    return plainMembers(text)
      ?? (try? JSONDecoder().decode([String: String].self, from: Data(text.utf8)))
  }

  /// The members of a text without white space and escapes; nil for other texts. Nearly all texts
  /// have this form. `JSONDecoder` takes ten times as long.
  private static func plainMembers(_ text: String) -> [String: String]? {
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
    // Splits `{"name":"value","name":"value"}` at the quotes. The parts are `{`, and then for each
    // member the name, `:`, the value, and `,`, or `}` after the last value.
    let parts = Array(text.utf8).split(
      separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    guard parts.count > 1, parts.count % 4 == 1, parts[0].elementsEqual("{".utf8) else {
      return nil
    }
    var members: [String: String] = [:]
    for index in stride(from: 1, to: parts.count, by: 4) {
      let end = index + 4 == parts.count ? "}" : ","
      guard parts[index + 1].elementsEqual(":".utf8), parts[index + 3].elementsEqual(end.utf8)
      else { return nil }
      members[String(decoding: parts[index], as: UTF8.self)] = String(
        decoding: parts[index + 2], as: UTF8.self)
    }
    return members
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
