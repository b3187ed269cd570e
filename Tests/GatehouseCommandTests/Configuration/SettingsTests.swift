import Foundation
import Testing

@testable import gatehouse

@Suite struct SettingsTests {
  @Test func `no two settings have the same name`() {
    for names in [
      Settings.all.map(\.key), Settings.all.map(\.environmentName), Settings.all.map(\.flag),
    ] {
      #expect(Set(names).count == names.count)
    }
  }

  /// The guide has its own wording, but the same keys, values and defaults.
  @Test func `the guide has every setting in this order, with its values and its default`()
    throws
  {
    let guide = try Self.guide()
    #expect(guide.map(\.key) == Settings.all.map(\.key))
    for (row, setting) in zip(guide, Settings.all) {
      #expect(row.form == setting.form.replacing("…", with: row.form.contains(" … ") ? " … " : "…"))
      #expect(row.standard.replacing("`", with: "") == setting.listedStandard, "\(setting.key)")
      // `none` in backquotes is a value.
      #expect((row.standard == "none") == (setting.standardText == nil), "\(setting.key)")
    }
  }

  @Test func `neither a setting's meaning nor the guide repeats the default`() throws {
    for (row, setting) in zip(try Self.guide(), Settings.all) {
      for meaning in [row.meaning, setting.meaning] {
        #expect(
          !Self.words(meaning).contains(Self.words(setting.listedStandard)),
          "\(setting.key): \(meaning)")
      }
    }
  }

  @Test func `the listed settings have a column for the default`() {
    let rows = ServeCommand.settings.lines.map { line in
      line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    let header = ["SETTING", "ENVIRONMENT", "VALUE", "DEFAULT", "MEANING"]
    let expected = Settings.all.map {
      [$0.key, $0.environmentName, $0.form, $0.listedStandard, $0.meaning]
    }
    #expect(rows == [header] + expected)
  }

  @Test func `the flags that the guide names are those of the settings`() throws {
    for (row, setting) in zip(try Self.guide(), Settings.all) where !row.flag.isEmpty {
      #expect(row.flag == setting.flag)
    }
  }

  /// The words of the text, with a space before and after each.
  private static func words(_ text: String) -> String {
    " " + text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
  }

  private struct Row {
    let key: String
    let flag: String
    let form: String
    /// With its backquotes.
    let standard: String
    let meaning: String
  }

  /// The rows of the table in `docs/guides/configuration.md`, without backquotes.
  private static func guide() throws -> [Row] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("docs/guides/configuration.md"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| Key | Flag |") })
    #expect(lines[start] == "| Key | Flag | Value | Default | Meaning |")
    return try lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      // The texts before the first and after the last `|` are empty.
      try #require(cells.count == 7, "\(line)")
      let plain = cells.map { $0.replacing("`", with: "") }
      return Row(
        key: plain[1], flag: plain[2], form: plain[3], standard: cells[4], meaning: plain[5])
    }
  }
}
