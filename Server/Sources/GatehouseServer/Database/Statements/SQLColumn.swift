/// The columns of a record, each named once. The cases are the column lists of `SELECT` and
/// `INSERT`. Their order is the order of the bound values, and a case's number is the position of
/// its value in a row.
///
/// A switch over all cases binds a record, so that no column is forgotten. A case has the name of
/// its column in camel case: `photoURL` is `photo_url`. If another word follows an abbreviation,
/// the abbreviation is written as a word: `returnsIdToken`.
protocol SQLColumn: CaseIterable, Hashable, RawRepresentable<Int32>, Sendable {}

extension SQLColumn {
  var name: String {
    var name = ""
    var previous: Character?
    for character in "\(self)" {
      let begins = character.isUppercase || character.isNumber
      if begins, let previous, previous.isLowercase { name.append("_") }
      name.append(contentsOf: character.lowercased())
      previous = character
    }
    return name
  }

  static var list: String { allCases.map(\.name).joined(separator: ", ") }

  /// The placeholder of the column's value, after `count` other values.
  func mark(behind count: Int32) -> String { "?\(rawValue + count + 1)" }

  /// The placeholders of all columns, after `count` other values.
  static func marks(behind count: Int32) -> String {
    allCases.map { $0.mark(behind: count) }.joined(separator: ", ")
  }

  /// For `UPDATE … SET`: every column except `names`, with placeholders after `count` other values.
  static func changes(behind count: Int32, but names: [Self]) -> String {
    allCases.filter { !names.contains($0) }.map { "\($0.name) = \($0.mark(behind: count))" }
      .joined(separator: ", ")
  }

  /// For `ON CONFLICT … DO UPDATE SET`: every column except `names`, which identify the row.
  static func updates(but names: Self...) -> String {
    allCases.filter { !names.contains($0) }.map { "\($0.name) = excluded.\($0.name)" }
      .joined(separator: ", ")
  }
}

/// The position of a value in a row: a column, or a number for what a statement lists in addition
/// to the columns.
package protocol SQLPosition {
  var position: Int32 { get }
}

extension Int: SQLPosition {
  package var position: Int32 { Int32(truncatingIfNeeded: self) }
}

extension SQLPosition where Self: SQLColumn {
  var position: Int32 { rawValue }
}
