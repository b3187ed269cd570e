/// Why the rest of a file of users can't be read. `==` compares everything.
package struct UserFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  package enum Reason: String, Hashable, Sendable {
    case notJSON = "this isn't the JSON of an export: an object with an array \"users\""
    case noUsers = "there is no array \"users\""
    case cutOff = "the file is incomplete: was it copied completely?"
    case notAnObject = "every user has to be an object, with commas between them"
    case rowTooLong = "a user takes more than 256 KiB"
  }

  package var description: String { "line \(line): \(reason.rawValue)" }
}

/// A row of the file, for one user.
package struct UserFileRow: Sendable {
  /// The line where it begins, from 1.
  package let line: Int
  /// The user, or the error that affects only this row.
  package let user: Result<UploadedUser, UserFileRowError>

  /// The greatest length of a row. A longer one ends the reading with an error.
  static let maximumBytes = 256 << 10
}

package struct UserFileRowError: Error, Hashable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}
