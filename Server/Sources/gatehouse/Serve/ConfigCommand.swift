import ArgumentParser
import Foundation
import GatehouseProtocol

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and check the settings of a server.",
    subcommands: [ShowConfigCommand.self, CheckConfigCommand.self])
}

struct ShowConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show every setting with its value, and where that was given.",
    discussion: "Takes the flags of serve. Secrets are masked.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let sources = options.sources()
    let lines = Settings.all.map { setting in
      let given = sources[setting] ?? sources.file(of: setting)
      let text = given.map { setting.isSecret ? "(secret)" : $0.text } ?? setting.listedStandard
      return (setting.key, text, given?.origin ?? "default")
    }
    if json {
      let settings = lines.map { key, value, origin in
        JSONValue.object(["key": .string(key), "value": .string(value), "from": .string(origin)])
      }
      let document: JSONObject = ["settings": .array(settings)]
      Terminal.say(String(decoding: document.serialized(), as: UTF8.self))
    } else {
      var table = TextTable("SETTING", "VALUE", "FROM")
      for (key, value, origin) in lines { table.add(key, value, origin) }
      table.say()
    }
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
