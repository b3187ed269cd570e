/// Columns for a person to read.
struct TextTable {
  private let header: [String]
  private var rows: [[String]] = []

  var isEmpty: Bool { rows.isEmpty }

  init(_ header: String...) { self.header = header }

  mutating func add(_ cells: String...) { rows.append(cells) }

  func say() {
    for line in lines { Terminal.say(line) }
  }

  /// The header, then a line for each row.
  var lines: [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.indices.map { column in
        let isLast = column == row.indices.last
        let padding = isLast ? 0 : widths[column] - row[column].count
        return row[column] + String(repeating: " ", count: padding)
      }
      return cells.joined(separator: "  ")
    }
  }
}
