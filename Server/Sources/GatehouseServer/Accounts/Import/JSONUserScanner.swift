import GatehouseProtocol

/// Finds the users in the JSON that `firebase auth:export` writes, `{"users": [{…}, {…}]}`. The
/// file may have any length: only one user at a time is kept in memory.
///
/// This type parses only the JSON around the users. The strict JSON reader then reads each user,
/// and an error in one user rejects only that user.
package struct JSONUserScanner: Sendable {
  private var line = 1
  private var state = State.start
  private var row: [UInt8] = []
  private var rowLine = 1
  /// The position inside a value: the depth, and whether it is in a string.
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string directly in the outer object, with its closing quote. Before an array it is
  /// the member's name.
  private var name: [UInt8] = []
  private var needsComma = false

  private enum State {
    case start
    /// In the outer object, between or inside members other than the users.
    case members
    /// Between users.
    case users
    case user
    /// After the list of users. The rest is ignored.
    case rest
  }

  package init() {}

  /// Reads the next piece of the file.
  ///
  /// - Throws: ``UserFileError`` for a fault after which the rest of the file can't be read, and
  ///   the errors that `found` throws.
  package mutating func scan(
    _ bytes: some Sequence<UInt8>, found: (UserFileRow) throws -> Void
  ) throws {
    for byte in bytes {
      switch state {
      case .start: try start(byte)
      case .members: try member(byte)
      case .users: try between(byte)
      case .user:
        row.append(byte)
        guard row.count <= UserFileRow.maximumBytes else { throw error(.rowTooLong, at: rowLine) }
        if endsValue(byte) { try found(finish()) }
      case .rest: break
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
  }

  /// Call it at the end of the file.
  ///
  /// - Throws: ``UserFileError`` if the file ends before the list of users does.
  package func end() throws(UserFileError) {
    switch state {
    case .start, .members: throw error(.noUsers)
    case .users, .user: throw error(.cutOff)
    case .rest: break
    }
  }

  private mutating func start(_ byte: UInt8) throws(UserFileError) {
    if Self.isSpace(byte) { return }
    // A byte order mark, which some editors write at the beginning.
    if [0xEF, 0xBB, 0xBF].contains(byte) { return }
    guard byte == UInt8(ascii: "{") else { throw error(.notJSON) }
    state = .members
  }

  private mutating func member(_ byte: UInt8) throws(UserFileError) {
    if isInString {
      if depth == 0 { name.append(byte) }
      _ = endsValue(byte)
      guard name.count <= UserFileRow.maximumBytes else { throw error(.notJSON) }
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      if depth == 0 { name = [] }
      isInString = true
    case UInt8(ascii: "["):
      if depth == 0, name.elementsEqual("users\"".utf8) {
        state = .users
      } else {
        depth += 1
      }
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}") where depth == 0: throw error(.noUsers)
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
    default: break
    }
    if depth < 0 { throw error(.notJSON) }
  }

  private mutating func between(_ byte: UInt8) throws(UserFileError) {
    switch byte {
    case _ where Self.isSpace(byte): break
    case UInt8(ascii: ",") where needsComma: needsComma = false
    case UInt8(ascii: "]"): state = .rest
    case UInt8(ascii: "{") where !needsComma:
      row = [byte]
      rowLine = line
      depth = 1
      state = .user
    default: throw error(.notAnObject)
    }
  }

  /// Tracks strings and brackets, and returns whether the byte closes the value.
  private mutating func endsValue(_ byte: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      return depth == 0
    default: break
    }
    return false
  }

  private mutating func finish() -> UserFileRow {
    state = .users
    needsComma = true
    defer { row = [] }
    return UserFileRow(line: rowLine, user: Self.user(row))
  }

  private static func user(_ bytes: [UInt8]) -> Result<UploadedUser, UserFileRowError> {
    do {
      return .success(try UploadedUser(WireFields(JSONObject(parsing: bytes))))
    } catch {
      return .failure(UserFileRowError("\(error)"))
    }
  }

  private func error(_ reason: UserFileError.Reason, at place: Int? = nil) -> UserFileError {
    UserFileError(line: place ?? line, reason: reason)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
