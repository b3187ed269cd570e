import Foundation

/// Where the command speaks to a person.
enum Terminal {
  /// A line on standard output: what was asked for.
  static func say(_ line: String = "") {
    write(line + "\n")
  }

  /// Text on standard output as it is.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// A line on standard error: what is said beside it.
  static func note(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// An error whose text says what is wrong and what to do next.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
