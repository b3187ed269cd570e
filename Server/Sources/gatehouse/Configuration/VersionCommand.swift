import ArgumentParser
import GatehouseProtocol

struct VersionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version and the commit.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    guard json else { return Terminal.say(Version.described) }
    let version = JSONObject(ifPresent: ["version": Version.current, "commit": Version.commit])
    Terminal.say(String(decoding: version.serialized(), as: UTF8.self))
  }
}
