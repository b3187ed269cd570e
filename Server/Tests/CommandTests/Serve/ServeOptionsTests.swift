import ArgumentParser
import Testing

@testable import gatehouse

@Suite struct ServeOptionsTests {
  /// A flag that `flags` of `ServeOptions` lacks would be accepted and have no effect.
  @Test func `every flag gives a value to the setting of its name`() throws {
    // `--dev` belongs to no setting; two contain the names of settings, and one takes no value.
    let flags = Self.flags.subtracting(["--dev", "--config", "--set", "--expose-to-network"])
    let settings = Settings.all.filter { flags.contains($0.flag) }
    #expect(Set(settings.map(\.flag)) == flags)
    #expect(flags.contains("--public-url"))
    for setting in settings {
      let value = try ServeOptions.parse([setting.flag, "given"]).sources()[setting]
      #expect(value?.text == "given", "\(setting.flag)")
      #expect(value?.origin == setting.flag)
    }
  }

  @Test func `the help of a setting's flag consists of sentences`() {
    let help = ServeOptions.helpMessage(includeHidden: false, columns: 200)
    #expect(
      help.contains(
        "Where the database is (folder). Default: ./gatehouse-data. Also GATEHOUSE_DATA."))
  }

  /// The flags in the help text.
  private static var flags: Set<String> {
    let lines = ServeOptions.helpMessage(includeHidden: false, columns: 200)
      .split(separator: "\n")
    return Set(
      lines.filter { $0.hasPrefix("  --") }.compactMap { line in
        line.split(separator: " ").first.map { String($0) }
      })
  }
}
