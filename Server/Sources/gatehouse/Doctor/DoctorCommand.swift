import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

/// A group of commands. It must have no options of its own: otherwise it would also take the options
/// that follow the name of a subcommand.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation, and say how to fix it.",
    subcommands: [InstallationDoctorCommand.self, MailDoctorCommand.self],
    defaultSubcommand: InstallationDoctorCommand.self)
}

struct InstallationDoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "installation", abstract: "Check the whole installation.",
    discussion: """
      Takes the flags and environment variables of serve: run it as the server's user, with the \
      server's settings. It checks the settings, files, database, master key, ports and disk; and, \
      unless --offline is given, each project with its providers and public URL, the outbox and the \
      clock. It changes nothing, and the server may be running. If the tables lack migrations, it \
      doesn't check the projects, the outbox and the clock. The exit status is 1 if there is a fault. \
      With --server, that server examines itself.
      """)

  @OptionGroup var options: ServeOptions

  @Flag(
    help: "Check only the database and this machine, not the projects, the outbox and the clock.")
  var offline = false

  @OptionGroup var remote: RemoteOptions

  func run() async throws {
    let isDone: Void? = try await remote.withServer { client in
      try client.sayFindings(try await client.send(.post, ["v2", "server", "doctor"], [:]))
    }
    if isDone != nil { return }
    var report = DoctorReport()
    do {
      let configuration = try options.configuration()
      report.findings += await Self.findings(configuration, isOffline: offline)
    } catch {
      report.findings += error.faults.map {
        Finding(
          "settings",
          .failed(
            remedy: "Correct this. `gatehouse serve --list-settings` describes each setting."),
          $0)
      }
      report.findings += Self.findings(
        Settings.unknownVariables(in: ProcessInfo.processInfo.environment))
    }
    try report.say(asJSON: remote.json)
  }

  /// All findings for settings without faults.
  static func findings(
    _ configuration: ServerConfiguration, isOffline: Bool = false
  ) async -> [Finding] {
    [Finding("settings", .ok, "understood")] + findings(configuration.warnings)
      + (await Examination(configuration, isOffline: isOffline).findings())
  }

  private static func findings(_ warnings: [String]) -> [Finding] {
    warnings.map { Finding("settings", .warning(remedy: "Correct it, unless it is intended."), $0) }
  }
}
