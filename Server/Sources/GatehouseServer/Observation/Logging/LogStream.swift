package import Foundation
import GatehouseProtocol

/// Standard error, for log entries.
///
/// Providers and clients choose some of the logged text, such as an issuer in an error. A line feed
/// in it would begin a forged entry, and a terminal obeys other control characters. Such characters
/// are written as escapes, such as `\u{a}`. This is done here and not where something is logged, so
/// that no caller can forget it.
package struct LogStream: Sendable {
  private let file: FileHandle

  package init(_ file: FileHandle = .standardError) { self.file = file }

  /// Writes one entry. An entry that can't be written is lost, because there is no other place to report it.
  func write(line: String) {
    try? file.write(contentsOf: Data((line.printable + "\n").utf8))
  }
}
