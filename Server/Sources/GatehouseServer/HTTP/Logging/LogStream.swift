package import Foundation
import GatehouseProtocol

/// Standard error, for log entries: each entry is one line, whatever text it quotes.
///
/// Providers and clients choose some of the logged text, such as an issuer in an error. A line feed
/// in it would begin a forged entry, and a terminal obeys other control characters. Such characters
/// are written as escapes, such as `\u{a}`. This is done here and not where something is logged, so
/// that no caller can forget it.
package struct LogStream: TextOutputStream, Sendable {
  private let file: FileHandle

  package init(_ file: FileHandle = .standardError) { self.file = file }

  /// Writes one entry, which ends with a line feed. An entry that can't be written is lost, because
  /// there is no other place to report it.
  package mutating func write(_ entry: String) {
    try? file.write(contentsOf: Data(Self.singleLine(entry).utf8))
  }

  /// The entry with every character that disturbs lines made visible, except the last line feed.
  package static func singleLine(_ entry: String) -> String {
    entry.utf8.last == 0x0A ? entry.dropLast().printable + "\n" : entry.printable
  }
}
