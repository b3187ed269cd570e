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
    if listSettings { return Self.settings.say() }
    let options = options
    let server = Server(try options.configuration(), settings: options.listed()) {
      let environment = EnvironmentFile.freshEnvironment()
      return (try options.configuration(environment), options.listed(environment))
    }
    try await server.run()
  }

  /// The output of `--list-settings`.
  static var settings: TextTable {
    var table = TextTable("SETTING", "ENVIRONMENT", "VALUE", "DEFAULT", "MEANING")
    for setting in Settings.all {
      table.add(
        setting.key, setting.environmentName, setting.form, setting.listedStandard, setting.meaning)
    }
    return table
  }
}
