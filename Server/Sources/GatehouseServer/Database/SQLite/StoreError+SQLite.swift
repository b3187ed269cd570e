import GRDB
import GRDBSQLite

extension StoreError {
  /// The error for one of SQLite's result codes.
  ///
  /// - Parameters:
  ///   - code: An extended result code.
  ///   - message: SQLite's own message. It names tables and columns, but no values.
  init(sqlite code: Int32, message: String) {
    switch code & 0xFF {
    case SQLITE_CONSTRAINT:
      self = .conflict(Self.rule(broken: message))
    case SQLITE_READONLY:
      self = .readOnly
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self = .damaged(
        "the database file is damaged (\(message)): stop the server and restore a backup")
    case SQLITE_FULL:
      self = .unavailable("the disk is full: make room")
    case SQLITE_CANTOPEN:
      self = .unavailable(
        "the database file, or a file that SQLite needs beside it, can't be opened (\(message)): this "
          + "user must have write access to its folder, also to read the database")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self = .unavailable("another process has locked the database: try again")
    default:
      self = .unavailable("SQLite: \(message) (\(code))")
    }
  }

  init(_ error: DatabaseError) {
    self.init(sqlite: error.extendedResultCode.rawValue, message: error.message ?? "")
  }

  /// Converts any error of the database layer to an error of the port.
  static func of(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: error
    case let error as DatabaseError: StoreError(error)
    default: .unavailable("\(error)")
    }
  }

  /// Parses SQLite's message, such as `UNIQUE constraint failed: accounts.project, accounts.email`.
  private static func rule(broken message: String) -> Unique {
    let rules: [(column: String, rule: Unique)] = [
      ("accounts.uid", .uid), ("accounts.email", .email),
      ("accounts.phone_number", .phoneNumber), ("identities.", .identity),
      ("projects.", .project), ("api_keys.", .apiKey), ("providers.", .provider),
      ("service_accounts.email", .serviceAccount),
    ]
    return rules.first { message.contains($0.column) }?.rule ?? .other
  }
}
