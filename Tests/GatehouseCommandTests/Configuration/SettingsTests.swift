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
      guard let standard = setting.standardText, !["none"].contains(standard) else { continue }
      #expect(row.meaning.contains(standard), "\(setting.key): \(row.meaning)")
    }
  }

  @Test func `the flags that the guide names are those of the settings`() throws {
    for (row, setting) in zip(try Self.guide(), Settings.all) where !row.flag.isEmpty {
      #expect(row.flag == setting.flag)
    }
  }

  /// The rows of the table in `docs/guides/configuration.md`, without backquotes.
  private static func guide() throws -> [(key: String, flag: String, form: String, meaning: String)]
  {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("docs/guides/configuration.md"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| Key | Flag |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
      }
      return (cells[1], cells[2], cells[3], cells[4])
    }
  }
}
