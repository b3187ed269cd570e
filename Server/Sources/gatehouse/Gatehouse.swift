import ArgumentParser
import Foundation
import GatehouseServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The command: reads flags, environment and files, puts the parts together, and runs them.
@main
struct Gatehouse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse",
    abstract: "A self-hosted authentication server that speaks Firebase Authentication's protocol.",
    discussion: """
      To try it: gatehouse serve --dev, and in another terminal gatehouse demo.
      For production: gatehouse keys new-master, gatehouse projects create, gatehouse serve.
      """,
    version: Version.described,
    subcommands: [
      ServeCommand.self, SimulateCommand.self, DemoCommand.self, TokenCommand.self,
      ProjectsCommand.self, APIKeysCommand.self, AppsCommand.self, ProvidersCommand.self,
      PhoneNumbersCommand.self, BlockingFunctionsCommand.self,
      KeysCommand.self, AdminKeysCommand.self, ConsoleCommand.self, ServiceAccountsCommand.self,
      BackupCommand.self,
      RestoreCommand.self, MigrateCommand.self, CopyCommand.self,
      ConfirmTimelineCommand.self, AppleCommand.self,
      MailCommand.self, OutboxCommand.self, HooksCommand.self,
      ConfigCommand.self,
      DoctorCommand.self,
      UsersCommand.self, AuditCommand.self, ImportCommand.self, ExportCommand.self,
      VersionCommand.self,
    ])

  @Option(
    help: """
      A file with environment variables, as systemd reads it. Default: \(EnvironmentFile.standardPath), if it \
      is there. Variables that are set already stay.
      """)
  var envFile: String?

  /// Called before the subcommand is read.
  func validate() throws { try EnvironmentFile.apply(envFile) }

  static func main() async {
    // Only their owner has access to new files and folders, whichever code creates them.
    umask(0o077)
    let caller = EventOrigin(.command(userName), clock: { Date() })
    await EventOrigin.$current.withValue(caller) { await main(nil) }
  }

  /// The name of the operating system's user. A container may run as a user that its system doesn't know:
  /// then the number.
  private static var userName: String {
    let name = NSUserName()
    return name.isEmpty ? "\(geteuid())" : name
  }
}
