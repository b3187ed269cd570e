import Crypto
import Foundation

/// Copies the rows of a database from one engine to another, unchanged: encrypted values stay
/// encrypted under the same keys.
///
/// A page of rows and the position after it are written in one transaction, so that an interrupted
/// copy continues where it stopped when it is run again. At the end both sides are read again and
/// compared. Until then the target has the server value ``stateName``, with which no server opens
/// it. No process can write to the source meanwhile.
package struct DatabaseCopy {
  private let source: any SQLCopyEnd
  private let target: any SQLCopyEnd
  /// Identifies the source, so that a copy of another source isn't continued.
  private let sourceName: String

  private static let pageSize = 1000
  /// The server value that shows how far a copy is. A database that has it isn't complete.
  package static let stateName = "copy"
  /// Server values of running servers, which aren't copied.
  private static let transientPrefixes = ["server/", "lease/"]
  private static let transientNames = [stateName, "readiness"]

  package init(from source: any SQLCopyEnd, named name: String, to target: any SQLCopyEnd) {
    self.source = source
    sourceName = name
    self.target = target
  }

  package struct Summary: Sendable {
    package var tables = 0
    package var rows = 0
  }

  package enum Stage: Sendable {
    case copying, comparing
  }

  private struct State: Codable {
    var source: String
    var table: String
    var position: [Data]
  }

  /// - Parameters:
  ///   - progress: Called after each page with the number of rows that are done, and the number of
  ///     all rows.
  ///   - finalCheck: Called when both sides were compared, before the copy is complete.
  /// - Throws: `DatabaseCopyFault` if the target isn't empty, has a part of another copy, or
  ///   differs from the source at the end; `StoreError`.
  package func run(
    _ progress: (_ stage: Stage, _ done: Int, _ all: Int) -> Void,
    finalCheck: () throws -> Void = {}
  ) throws -> Summary {
    let summary = try source.withoutWriters {
      try run(progress, finalCheck)
    }
    // The marker is removed only now, because now it is certain that nothing was written to the
    // source meanwhile.
    try target.transaction {
      try target.connection.run(ServerSQL.remove, .text(Self.stateName))
    }
    return summary
  }

  private func run(
    _ progress: (_ stage: Stage, _ done: Int, _ all: Int) -> Void, _ finalCheck: () throws -> Void
  ) throws -> Summary {
    let state = try storedState()
    if let state, state.source != sourceName {
      throw DatabaseCopyFault.anotherCopy(state.source)
    }
    if state == nil {
      for table in SQLTable.all where try count(table, at: target) > 0 {
        throw DatabaseCopyFault.notEmpty
      }
    }
    var counts: [Int] = []
    for table in SQLTable.all { counts.append(try count(table, at: source)) }
    let all = counts.reduce(0, +)
    var done = 0
    for (index, table) in SQLTable.all.enumerated() {
      try copy(table, from: state) { progress(.copying, done + $0, all) }
      done += counts[index]
    }
    var compared = 0
    for (index, table) in SQLTable.all.enumerated() {
      let expected = try digest(of: table, at: source) { progress(.comparing, compared + $0, all) }
      let found = try digest(of: table, at: target) { _ in }
      guard expected == found else {
        throw DatabaseCopyFault.differs(
          table: table.name, expected: expected.count, found: found.count)
      }
      compared += counts[index]
    }
    try finalCheck()
    return Summary(tables: SQLTable.all.count, rows: all)
  }

  // MARK: Copying

  private func storedState() throws -> State? {
    try target.connection.first(ServerSQL.value, .text(Self.stateName)) { $0.blob(0) }
      .flatMap { try? JSONDecoder().decode(State.self, from: Data($0)) }
  }

  private func copy(_ table: SQLTable, from state: State?, _ report: (Int) -> Void) throws {
    let shape = try TableShape(table, at: source, and: target)
    var position: [SQLValue]?
    if let state, let reached = SQLTable.all.firstIndex(where: { $0.name == state.table }),
      let index = SQLTable.all.firstIndex(where: { $0.name == table.name })
    {
      if index < reached { return }
      if index == reached { position = shape.position(from: state.position) }
    }
    var count = 0
    repeat {
      let page = try self.page(of: shape, after: position)
      let last = page.last.map { shape.position(of: $0) }
      try target.transaction {
        for row in page { try target.connection.run(shape.insert, row) }
        let state = State(
          source: sourceName, table: table.name,
          position: shape.data(of: last ?? position ?? []))
        try target.connection.run(
          ServerSQL.setValue, .text(Self.stateName), .blob(Array(try JSONEncoder().encode(state))))
      }
      count += page.count
      report(count)
      position = last
    } while position != nil
    if table.isNumbered {
      let number = try source.lastNumber(of: table)
      try target.transaction { try target.setLastNumber(of: table, to: number) }
    }
  }

  private func page(
    of shape: TableShape, after position: [SQLValue]?
  ) throws -> [[SQLValue]] {
    let limit = SQLValue.integer(Int64(Self.pageSize))
    let rows =
      if let position {
        try source.connection.all(shape.next, position + [limit]) { try shape.values(of: $0) }
      } else {
        try source.connection.all(shape.first, [limit]) { try shape.values(of: $0) }
      }
    // Transient rows are few, and never fill a whole page.
    return rows.filter { !isTransient($0, shape) }
  }

  private func isTransient(_ row: [SQLValue], _ shape: TableShape) -> Bool {
    guard shape.table.name == "server_values", case .text(let name)? = shape.position(of: row).first
    else { return false }
    return Self.transientNames.contains(name)
      || Self.transientPrefixes.contains { name.hasPrefix($0) }
  }

  // MARK: Comparing

  private struct Digest: Hashable {
    var count = 0
    var bytes: [UInt8] = []
  }

  private func count(_ table: SQLTable, at end: any SQLCopyEnd) throws -> Int {
    try end.connection.first(CopySQL("SELECT count(*) FROM \(table.name)")) { Int($0.integer(0)) }
      ?? 0
  }

  private func digest(
    of table: SQLTable, at end: any SQLCopyEnd, _ report: (Int) -> Void
  ) throws -> Digest {
    let shape = try TableShape(table, at: source, and: target)
    var hash = SHA256()
    var digest = Digest()
    var position: [SQLValue]?
    let limit = SQLValue.integer(Int64(Self.pageSize))
    repeat {
      var last: [SQLValue]?
      try end.connection.execute(
        position == nil ? shape.first.text : shape.next.text, (position ?? []) + [limit]
      ) { row in
        let values = try shape.values(of: row)
        last = shape.position(of: values)
        guard !isTransient(values, shape) else { return }
        digest.count += 1
        for value in values { hash.update(data: Self.bytes(of: value)) }
      }
      position = last
      report(digest.count)
    } while position != nil
    digest.bytes = Array(hash.finalize())
    return digest
  }

  /// A value's kind, length and bytes: different lists of values never give the same bytes.
  private static func bytes(of value: SQLValue) -> Data {
    let (kind, content): (UInt8, [UInt8]) =
      switch value {
      case .null: (0, [])
      case .integer(let number): (1, Array("\(number)".utf8))
      case .text(let text): (2, Array(text.utf8))
      case .blob(let bytes): (3, bytes)
      }
    return Data([kind]) + Data("\(content.count):".utf8) + Data(content)
  }
}

package enum DatabaseCopyFault: Error, Hashable {
  /// The target has rows.
  case notEmpty
  /// The target has an incomplete copy of another source.
  case anotherCopy(String)
  /// Rows are missing, too many, or different, for example because the source changed between two runs of
  /// the copy.
  case differs(table: String, expected: Int, found: Int)
}

/// A statement that is built from a table's columns.
struct CopySQL: SQLStatement {
  static let allCases: [CopySQL] = []
  let text: String

  init(_ text: String) { self.text = text }
}

/// A table's statements, and how its rows are read.
struct TableShape {
  let table: SQLTable
  let first: CopySQL
  let next: CopySQL
  let insert: CopySQL
  private let columns: [SQLTable.Column]
  /// The positions of the key's columns.
  private let key: [Int]

  /// - Throws: `StoreError.damaged` if the two databases have different columns.
  init(_ table: SQLTable, at source: any SQLCopyEnd, and target: any SQLCopyEnd) throws {
    self.table = table
    columns = try source.columns(of: table).sorted { $0.name < $1.name }
    let names = columns.map(\.name)
    guard try target.columns(of: table).map(\.name).sorted() == names else {
      throw StoreError.damaged(
        "the table \(table.name) has different columns in the two databases: migrate both first, "
          + "with `gatehouse migrate`")
    }
    key = table.key.compactMap { names.firstIndex(of: $0) }
    let list = names.joined(separator: ", ")
    let keys = table.key.joined(separator: ", ")
    let marks = { (count: Int) in Array(repeating: "?", count: count).joined(separator: ", ") }
    first = CopySQL("SELECT \(list) FROM \(table.name) ORDER BY \(keys) LIMIT ?")
    next = CopySQL(
      "SELECT \(list) FROM \(table.name) WHERE (\(keys)) > (\(marks(key.count))) ORDER BY \(keys) LIMIT ?"
    )
    // A row that already exists, such as the only row of a table, is replaced.
    let changes = names.filter { !table.key.contains($0) }.map { "\($0) = excluded.\($0)" }
    insert = CopySQL(
      "INSERT INTO \(table.name) (\(list)) VALUES (\(marks(names.count))) ON CONFLICT (\(keys)) DO "
        + (changes.isEmpty ? "NOTHING" : "UPDATE SET " + changes.joined(separator: ", ")))
  }

  func values(of row: SQLRow) throws -> [SQLValue] {
    try columns.enumerated().map { index, column in
      guard !row.isNull(index) else { return .null }
      return switch column.kind {
      case .integer: .integer(row.integer(index))
      case .text: .text(try row.text(index))
      case .blob: .blob(row.blob(index))
      }
    }
  }

  func position(of row: [SQLValue]) -> [SQLValue] { key.map { row[$0] } }

  // MARK: A position between two runs

  func data(of position: [SQLValue]) -> [Data] {
    position.map { value in
      switch value {
      case .integer(let number): Data("\(number)".utf8)
      case .text(let text): Data(text.utf8)
      case .blob(let bytes): Data(bytes)
      case .null: Data()
      }
    }
  }

  /// Nil if there is no position yet.
  func position(from data: [Data]) -> [SQLValue]? {
    guard data.count == key.count, !data.isEmpty else { return nil }
    return zip(key, data).map { index, data in
      switch columns[index].kind {
      case .integer: .integer(Int64(String(decoding: data, as: UTF8.self)) ?? .min)
      case .text: .text(String(decoding: data, as: UTF8.self))
      case .blob: .blob(Array(data))
      }
    }
  }
}
