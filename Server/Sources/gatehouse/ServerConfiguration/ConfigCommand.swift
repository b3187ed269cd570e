import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and check the settings of a server.",
    subcommands: [ShowConfigCommand.self, CheckConfigCommand.self])
}

struct ShowConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show every setting with its value, and where that was given.",
    discussion:
      "Takes the flags of serve. Secrets are masked. With --server, the settings of that server.")

  @OptionGroup var options: ServeOptions
  @OptionGroup var remote: RemoteOptions

  func run() async throws {
    let found = try await remote.withServer { client in
      try await client.send(.get, ["v2", "server", "settings"])
    }
    let answer =
      found ?? [
        "settings": .array(
          options.listed().map {
            [
              "key": .string($0.key), "value": .string($0.value), "from": .string($0.origin),
              "default": .string($0.standard), "form": .string($0.form),
              "meaning": .string($0.meaning),
            ]
          })
      ]
    if remote.json {
      Terminal.say(String(decoding: answer.serialized(), as: UTF8.self))
    } else {
      var table = TextTable("SETTING", "VALUE", "FROM")
      for setting in answer.objects("settings") {
        table.add(setting.shown("key"), setting["value"]?.string ?? "", setting.shown("from"))
      }
      table.say()
    }
    guard found == nil else { return }
    for warning in Settings.unknownVariables(in: ProcessInfo.processInfo.environment) {
      Terminal.note("note: " + warning)
    }
  }
}

extension ServeOptions {
  /// Every setting with its value, secrets masked, and where that was given.
  func listed(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [ServerHost.Setting] {
    let sources = sources(environment)
    return Settings.all.map { setting in
      let given = sources[setting] ?? sources.file(of: setting)
      let text = given.map { setting.isSecret ? "(secret)" : $0.text } ?? setting.listedStandard
      return ServerHost.Setting(
        key: setting.key, value: text, origin: given?.origin ?? "default",
        standard: setting.listedStandard, form: setting.form, meaning: setting.meaning)
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
