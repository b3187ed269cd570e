import ArgumentParser
import Foundation

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "What a server would be told, and whether it is right.",
    subcommands: [ShowConfigCommand.self, CheckConfigCommand.self])
}

struct ShowConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show every setting, and where its value was given.",
    discussion: "Takes the flags of serve. Secrets are masked.")

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let sources = options.sources()
    var table = TextTable("SETTING", "VALUE", "FROM")
    for setting in Settings.all {
      let value = sources[setting]
      let text = value.map { setting.isSecret ? "(secret)" : $0.text } ?? "-"
      table.add(setting.key, text, value?.origin ?? "(not set)")
    }
    table.say()
    for warning in Settings.unknownVariables(in: ProcessInfo.processInfo.environment) {
      Terminal.note("note: " + warning)
    }
  }
}

struct CheckConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say what is wrong with the settings, all of it.",
    discussion: """
      Takes the flags of serve; starts and changes nothing. Exit status 1 if the server would not \
      start with them. `gatehouse doctor` looks beyond the settings.
      """)

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let configuration = try options.configuration()
    if configuration.masterKey.isGiven(dataFolder: configuration.dataFolder) {
      _ = try configuration.masterKey.load(
        dataFolder: configuration.dataFolder, mayMake: false)
    }
    for warning in configuration.warnings { Terminal.note("note: " + warning) }
    Terminal.say("The settings are right.")
  }
}
