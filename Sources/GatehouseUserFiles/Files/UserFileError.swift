package import GatehouseWire

/// Why a file of users can't be read any further. `==` compares everything.
package struct UserFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  package let line: Int
  package let reason: Reason

  package init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  package enum Reason: String, Hashable, Sendable {
    case notJSON = "this isn't the JSON of an export: an object with a list \"users\""
    case noUsers = "there is no list \"users\""
    case cutOff = "the file ends in the middle: was it copied whole?"
    case notAnObject = "every user is an object, with commas between them"
    case rowTooLong = "a user takes more than 256 KiB"
  }

  package var description: String { "line \(line): \(reason.rawValue)" }
}

/// One user of a file, not yet read as one.
package struct UserFileRow: Sendable {
  /// Where it begins, from 1.
  package let line: Int
  /// The user; or what is wrong with this row alone, for its report.
  package let user: Result<UploadedUser, UserFileRowError>

  /// A longer row ends the reading.
  static let maximumBytes = 256 << 10
}

package struct UserFileRowError: Error, Hashable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}
