package import Foundation

/// Standard error, for log entries: each entry is one line, whatever text it quotes.
///
/// Providers and clients choose some of the logged text, such as an issuer in an error. A line feed
/// in it would begin a forged entry, and a terminal obeys other control characters; both are
/// written as `\u{a}`. This is done here and not where something is logged, so that no caller can
/// forget it.
package struct LogStream: TextOutputStream, Sendable {
  private let file: FileHandle

  package init(_ file: FileHandle = .standardError) { self.file = file }

  /// Writes one entry, which ends with a line feed. An entry that can't be written is lost, because
  /// there is no other place to report it.
  package mutating func write(_ entry: String) {
    try? file.write(contentsOf: Data(Self.singleLine(entry).utf8))
  }

  /// The entry with every control character except the last line feed made visible.
  package static func singleLine(_ entry: String) -> String {
    let hasEnd = entry.utf8.last == 0x0A
    let text = hasEnd ? entry.dropLast() : entry[...]
    guard text.unicodeScalars.contains(where: isControl) else { return entry }
    var line = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return hasEnd ? line + "\n" : line
  }

  /// C0, DEL and C1; Unicode's line and paragraph separators; and characters that change the
  /// direction of writing, with which a line can be made to look like another.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
