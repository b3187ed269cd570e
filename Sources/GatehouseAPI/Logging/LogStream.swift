package import Foundation

/// Standard error, for log entries: one entry, one line, whatever it quotes.
///
/// Providers and clients choose some of what is logged, such as an issuer in an error. A line feed
/// of theirs would begin an entry of its own, and a terminal obeys other control characters; both
/// are written as `\u{a}`. Here rather than where something is logged: no place can forget it.
package struct LogStream: TextOutputStream, Sendable {
  private let file: FileHandle

  package init(_ file: FileHandle = .standardError) { self.file = file }

  /// Writes one entry, which ends with a line feed. What can't be written is lost: there is nowhere
  /// else to say so.
  package mutating func write(_ entry: String) {
    try? file.write(contentsOf: Data(Self.singleLine(entry).utf8))
  }

  /// The entry with every control character but its last line feed made visible.
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

  /// C0, DEL and C1; Unicode's line and paragraph separators; and what turns the direction of
  /// writing, by which a line can be made to read as another.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
