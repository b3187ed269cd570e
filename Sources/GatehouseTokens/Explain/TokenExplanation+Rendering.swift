import GatehouseProtocol

extension TokenExplanation {
  /// A table with a line for each check and aligned columns. Ends with a line break.
  public var table: String {
    let header = ["", "CHECK", "EXPECTED", "GOT"]
    let rows =
      [header] + checks.map { [$0.verdict.rawValue, $0.name, $0.expected, $0.got] }
    let widths = header.indices.dropLast().map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { Self.line($0, widths: widths) + "\n" }.joined()
  }

  private static func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      line += cell
      if column < widths.count {
        line += String(repeating: " ", count: widths[column] - cell.count + 2)
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// `{"valid":…,"checks":[{"name","verdict","code","expected","got"},…]}`. Only a check that
  /// failed has `code`; only a check that ran has `expected` and `got`.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("valid", holds)
      $0.array("checks") { rows in
        for check in checks { check.write(to: &rows) }
      }
    }
    return writer.bytes
  }
}

extension TokenExplanation.Check {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("verdict", verdict.rawValue)
      $0.member("code", ifPresent: code?.rawValue)
      if verdict != .skipped {
        $0.member("expected", expected)
        $0.member("got", got)
      }
    }
  }
}
