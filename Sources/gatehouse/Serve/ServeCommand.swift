import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the server.",
    discussion: """
      Settings come from flags and --set, then the environment (GATEHOUSE_…), then the file that \
      --config names. `gatehouse serve --list-settings` lists them.
      """)

  @OptionGroup var options: ServeOptions

  @Flag(help: "List the settings and exit.")
  var listSettings = false

  func run() async throws {
    if listSettings { return Self.printSettings() }
    try await Server(try options.configuration()).run()
  }

  private static func printSettings() {
    var table = TextTable("SETTING", "ENVIRONMENT", "VALUE", "MEANING; DEFAULT")
    for setting in Settings.all {
      table.add(setting.key, setting.environmentName, setting.form, setting.explanation)
    }
    table.say()
  }
}
