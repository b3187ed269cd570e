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

  @Test func `a setting's meaning doesn't repeat the default`() {
    for setting in Settings.all {
      #expect(
        !Self.words(setting.meaning).contains(Self.words(setting.listedStandard)),
        "\(setting.key): \(setting.meaning)")
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

  /// The words of the text, with a space before and after each.
  private static func words(_ text: String) -> String {
    " " + text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
  }
}
