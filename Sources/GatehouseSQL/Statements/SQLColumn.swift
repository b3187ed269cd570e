/// The columns that a record is kept in, each named once: its cases are the lists of `SELECT` and
/// `INSERT`, their order is that of what is bound, and a case's number is where a row has its value.
///
/// What binds a record is a switch over all cases, so that none is forgotten. A case is named as its
/// column is, in the other spelling: `photoURL` is `photo_url`. An abbreviation is written as a word before
/// another one: `returnsIdToken`.
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

  /// The place of the column's value among those bound, behind `count` others.
  func mark(behind count: Int32) -> String { "?\(rawValue + count + 1)" }

  /// Places for all, behind `count` others.
  static func marks(behind count: Int32) -> String {
    allCases.map { $0.mark(behind: count) }.joined(separator: ", ")
  }

  /// For `UPDATE … SET`: every column but some, with the values behind `count` others.
  static func changes(behind count: Int32, but names: [Self]) -> String {
    allCases.filter { !names.contains($0) }.map { "\($0.name) = \($0.mark(behind: count))" }
      .joined(separator: ", ")
  }

  /// For `ON CONFLICT … DO UPDATE SET`: every column but those that name the row.
  static func updates(but names: Self...) -> String {
    allCases.filter { !names.contains($0) }.map { "\($0.name) = excluded.\($0.name)" }
      .joined(separator: ", ")
  }
}

/// Where a row has a value: a column, or the number of what a statement lists beside them.
package protocol SQLPosition {
  var position: Int32 { get }
}

extension Int: SQLPosition {
  package var position: Int32 { Int32(truncatingIfNeeded: self) }
}

extension SQLPosition where Self: SQLColumn {
  var position: Int32 { rawValue }
}
