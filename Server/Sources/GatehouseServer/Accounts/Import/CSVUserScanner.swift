import GatehouseProtocol

/// Finds the users in the CSV that `firebase auth:export` writes: one row for each user, without a
/// header, in the columns of ``UserFileColumns``.
///
/// Fields are quoted as in RFC 4180. Google's tool also writes custom claims with `\"`, and before
/// version 15.19 it wrote `"Ann "the cat" Lee"`: a quote that is neither doubled nor before a comma
/// or a line end stands for itself.
package struct CSVUserScanner: Sendable {
  private var line = 1
  private var rowLine = 1
  private var fields: [[UInt8]] = []
  private var field: [UInt8] = []
  private var rowBytes = 0
  private var state = State.begin
  /// Whether the rows have all columns of version 15.19 and later; nil before the first row.
  private var isComplete: Bool?
  /// How much of a byte order mark the file begins with, as far as it was read; nil after the beginning.
  private var markBytes: Int? = 0

  /// Spreadsheets write it at the beginning of UTF-8. It isn't a part of the first user's id.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private enum State {
    case begin
    case plain
    case quoted
    /// After a quote in a quoted field. The quote ends the field unless another character follows.
    case quote
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
      if isMark(byte) { continue }
      rowBytes += 1
      guard rowBytes <= UserFileRow.maximumBytes else {
        throw UserFileError(line: rowLine, reason: .rowTooLong)
      }
      if let row = take(byte) { try found(row) }
    }
  }

  /// Call it at the end of the file, which may lack its last line break.
  package mutating func end(found: (UserFileRow) throws -> Void) throws {
    endMark()
    if state == .quoted { throw UserFileError(line: rowLine, reason: .cutOff) }
    if let row = endRow() { try found(row) }
  }

  /// Whether the byte belongs to a byte order mark at the beginning of the file, as far as is known.
  private mutating func isMark(_ byte: UInt8) -> Bool {
    guard let count = markBytes else { return false }
    guard byte == Self.mark[count] else {
      endMark()
      return false
    }
    markBytes = count + 1 < Self.mark.count ? count + 1 : nil
    return true
  }

  /// An incomplete mark is the beginning of another character.
  private mutating func endMark() {
    for byte in Self.mark.prefix(markBytes ?? 0) { _ = take(byte) }
    markBytes = nil
  }

  private mutating func take(_ byte: UInt8) -> UserFileRow? {
    let isLineEnd = byte == UInt8(ascii: "\n")
    if isLineEnd { line += 1 }
    switch state {
    case .quoted:
      if byte == UInt8(ascii: "\"") { state = .quote } else { field.append(byte) }
      return nil
    case .quote where byte == UInt8(ascii: "\""):
      field.append(byte)
      state = .quoted
      return nil
    case .begin where byte == UInt8(ascii: "\""):
      state = .quoted
      return nil
    case .begin, .plain, .quote: break
    }
    if byte == UInt8(ascii: ",") {
      endField()
    } else if isLineEnd {
      return endRow()
    } else if state == .quote, byte != UInt8(ascii: "\r") {
      field += [UInt8(ascii: "\""), byte]
      state = .quoted
    } else if byte != UInt8(ascii: "\r") {
      field.append(byte)
      state = .plain
    }
    return nil
  }

  private mutating func endField() {
    fields.append(field)
    field = []
    state = .begin
  }

  /// Nil for an empty line.
  private mutating func endRow() -> UserFileRow? {
    defer {
      fields = []
      rowLine = line
      rowBytes = 0
    }
    guard !fields.isEmpty || !field.isEmpty else { return nil }
    endField()
    return UserFileRow(line: rowLine, user: user())
  }

  /// Refuses a row with more or fewer columns than the rows before it: one version of Google's tool
  /// writes them all. Versions before 15.19 didn't double the quotes in a name, so a user could choose a
  /// name that adds columns to their row, such as identities of others and custom claims.
  private mutating func user() -> Result<UploadedUser, UserFileRowError> {
    guard UserFileColumns.isRow(fields) else { return UserFileColumns.user(fields) }
    let isComplete = fields.count >= UserFileColumns.count
    guard isComplete == self.isComplete ?? isComplete else {
      return .failure(
        UserFileRowError(
          "the row has \(fields.count) columns, but the rows before it have "
            + "\(isComplete ? "fewer" : "more"): a name may have been read as columns"))
    }
    self.isComplete = isComplete
    return UserFileColumns.user(fields)
  }
}

/// The columns of the CSV (`src/accountExporter.ts` of firebase-tools): 52, before version 15.19 only
/// the first 28. A comma at the end of the row adds an empty column.
package enum UserFileColumns {
  package static let count = 52
  /// The oldest exports end before `disabled` and `customAttributes`.
  static let earlierCounts = 26...28

  /// The first of a provider's four columns: rawId, email, displayName, photoUrl.
  static let providers: [(id: String, column: Int)] = [
    ("google.com", 7), ("facebook.com", 11), ("twitter.com", 15), ("github.com", 19),
    ("apple.com", 28), ("microsoft.com", 32), ("gc.apple.com", 36), ("playgames.google.com", 40),
    ("linkedin.com", 44), ("yahoo.com", 48),
  ]
  /// The columns that users or providers choose freely: ids, emails, names and pictures.
  static let namedByUsers = [0, 1, 5, 6] + providers.flatMap { Array($0.column..<$0.column + 4) }
  static let names: [(name: String, column: Int)] = [
    ("localId", 0), ("email", 1), ("emailVerified", 2), ("passwordHash", 3), ("salt", 4),
    ("displayName", 5), ("photoUrl", 6), ("createdAt", 23), ("lastLoginAt", 24),
    ("phoneNumber", 25), ("disabled", 26), ("customAttributes", 27),
  ]

  static func user(_ fields: [[UInt8]]) -> Result<UploadedUser, UserFileRowError> {
    guard isRow(fields) else {
      return .failure(
        UserFileRowError(
          "the row has \(fields.count) columns; an export has \(earlierCounts.upperBound) or "
            + "\(count), and no header"))
    }
    var texts: [String] = []
    for field in fields {
      guard let text = String(validating: field, as: UTF8.self) else {
        return .failure(UserFileRowError("the row isn't UTF-8"))
      }
      // Before anything compares the text, as the JSON reader does.
      guard !CombiningCharacters.areTooMany(in: text) else {
        return .failure(
          UserFileRowError(
            "more than \(CombiningCharacters.maximumInRow) combining characters follow each other"))
      }
      texts.append(text)
    }
    for column in namedByUsers where column < texts.count {
      texts[column] = FormulaGuard.unguarded(texts[column])
    }
    do {
      return .success(try UploadedUser(WireFields(object(texts))))
    } catch {
      return .failure(UserFileRowError(error.description))
    }
  }

  /// A further column must be empty. If it isn't, a comma in a field without quotes has moved the
  /// columns after it.
  fileprivate static func isRow(_ fields: [[UInt8]]) -> Bool {
    isCount(fields.count) || isCount(fields.count - 1) && fields.last?.isEmpty == true
  }

  private static func isCount(_ number: Int) -> Bool {
    number == count || earlierCounts.contains(number)
  }

  private static func object(_ texts: [String]) -> JSONObject {
    var user = JSONObject()
    for (name, column) in names where column < texts.count && !texts[column].isEmpty {
      user[name] = .string(texts[column])
    }
    let infos = providers.compactMap { id, column -> JSONValue? in
      guard column < texts.count, !texts[column].isEmpty else { return nil }
      return [
        "providerId": .string(id), "rawId": .string(texts[column]),
        "email": .string(texts[column + 1]), "displayName": .string(texts[column + 2]),
        "photoUrl": .string(texts[column + 3]),
      ]
    }
    if !infos.isEmpty { user["providerUserInfo"] = .array(infos) }
    return user
  }
}
