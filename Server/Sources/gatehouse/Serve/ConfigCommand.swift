import ArgumentParser
import Foundation

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and check the settings of a server.",
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
      let value = sources[setting] ?? sources.file(of: setting)
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
    commandName: "check", abstract: "Report everything that is wrong with the settings.",
    discussion: """
      Takes the flags of serve; starts and changes nothing. The exit status is 1 if the server \
      would not start with these settings. `gatehouse doctor` checks more than the settings.
      """)

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let configuration = try options.configuration()
    if configuration.data.masterKey.isGiven(dataFolder: configuration.data.folder) {
      _ = try configuration.data.masterKeys()
    }
    for warning in configuration.warnings { Terminal.note("note: " + warning) }
    Terminal.say("The settings are right.")
  }
}
