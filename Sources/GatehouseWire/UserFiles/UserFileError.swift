/// Why a file of users can't be read any further. `==` compares everything.
public struct UserFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public let line: Int
  public let reason: Reason

  public init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  public enum Reason: String, Hashable, Sendable {
    case notJSON = "this isn't the JSON of an export: an object with a list \"users\""
    case noUsers = "there is no list \"users\""
    case cutOff = "the file ends in the middle: was it copied whole?"
    case notAnObject = "every user is an object, with commas between them"
    case rowTooLong = "a user takes more than 256 KiB"
  }

  public var description: String { "line \(line): \(reason.rawValue)" }
}

/// One user of a file, not yet read as one.
public struct UserFileRow: Sendable {
  /// Where it begins, from 1.
  public let line: Int
  /// The user; or what is wrong with this row alone, for its report.
  public let user: Result<UploadedUser, UserFileRowError>

  /// A longer row ends the reading.
  static let maximumBytes = 256 << 10
}

public struct UserFileRowError: Error, Hashable, Sendable {
  public let message: String

  init(_ message: String) { self.message = message }
}
