import ArgumentParser
import GatehouseProtocol

struct VersionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version and the commit.")

  @OptionGroup var remote: RemoteOptions

  func run() async throws {
    let server = try await remote.withServer { client in
      try await client.send(.get, ["v2", "server", "version"])
    }
    let own = JSONObject(ifPresent: ["version": Version.current, "commit": Version.commit])
    if remote.json {
      return Terminal.say(String(decoding: (server ?? own).serialized(), as: UTF8.self))
    }
    guard let server else { return Terminal.say(Version.described) }
    let commit = server["commit"]?.string.map { " (\($0.printable))" } ?? ""
    Terminal.say("this program  \(Version.described)")
    Terminal.say("the server    \(server.shown("version"))\(commit)")
  }
}
