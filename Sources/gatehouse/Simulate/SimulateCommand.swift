import ArgumentParser
import GatehouseAPI
import GatehouseSimulator
import Logging
import ServiceLifecycle
import UnixSignals

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run stand-ins for \(Simulator.providerNames).",
    discussion: """
      Keeps nothing on disk, signs in whoever is named, and listens on loopback unless told \
      otherwise. docs/guides/simulator.md shows what it can do.
      """)

  @Option(help: "Where to listen.")
  var host = "127.0.0.1"

  @Option(help: "The port; 0 takes a free one.")
  var port = Settings.simulatorPort.standard

  @Option(help: "Where clients reach it, if not at http://HOST:PORT.")
  var publicURL: String?

  @Option(help: "What a browser gets that names nobody: ask (a page to click) or auto.")
  var sheets = DialogMode.ask

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port \(port): a port is from 0 to 65535")
    }
  }

  func run() async throws {
    var settings = Simulator.Configuration()
    settings.host = host
    settings.port = port
    settings.publicURL = publicURL
    settings.dialogMode = sheets
    var logger = Logger(label: "gatehouse.simulator")
    logger.logLevel = .warning
    let simulator = Simulator(
      configuration: settings, server: Connections.local, logger: logger
    ) { url in
      Terminal.say("Simulator listens on \(url)")
    }
    try await ServiceGroup(
      services: [
        Listener(service: simulator.application, host: host, port: port, flag: "--port")
      ], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    ).run()
  }
}

extension DialogMode: ExpressibleByArgument {}
