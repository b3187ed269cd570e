import Foundation

/// The output of the command.
enum Terminal {
  /// Whether standard output is a terminal, which a person reads and nothing keeps.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a line to standard output: the result.
  static func say(_ line: String = "") {
    write(line + "\n")
  }

  /// Writes text to standard output unchanged.
  static func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes a question to standard error, without a line break.
  static func ask(_ question: String) {
    try? FileHandle.standardError.write(contentsOf: Data(question.utf8))
  }

  /// Writes a line to standard error: information that isn't part of the result.
  static func note(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// An error whose text says what is wrong and what to do next.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
