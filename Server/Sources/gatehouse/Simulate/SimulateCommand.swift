import ArgumentParser
import GatehouseServer
import GatehouseSimulator
import Logging
import ServiceLifecycle
import UnixSignals

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate \(Simulator.providerNames).",
    discussion: """
      The simulator stores nothing on disk, signs in any person that a request names, and listens \
      on loopback by default. docs/guides/simulator.md shows what it can do.
      """)

  @Option(
    help: "The address to listen on. Default: 127.0.0.1; with --expose-to-network all addresses.")
  var host: String?

  @Flag(help: "Accept connections from other machines. They can then sign in as any person.")
  var exposeToNetwork = false

  @Option(help: "The port; 0 uses a free port.")
  var port = Settings.simulatorPort.standard

  @Option(help: "The URL at which clients reach the simulator. Default: http://HOST:PORT.")
  var publicURL: String?

  @Option(
    help:
      "For a browser that names no person: ask (shows a page to choose) or auto (the first person)."
  )
  var sheets = DialogMode.ask

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port \(port): a port is from 0 to 65535")
    }
    guard exposeToNetwork || settings.listensOnLoopback else {
      throw ValidationError(
        "--host \(settings.host): the simulator listens on loopback only (127.0.0.1, ::1 or localhost), "
          + "because anyone who can connect to it can sign in as any person. If only your tests can "
          + "connect to this address, add --expose-to-network")
    }
  }

  private var settings: Simulator.Configuration {
    var settings = Simulator.Configuration()
    settings.host = host ?? (exposeToNetwork ? "0.0.0.0" : settings.host)
    settings.port = port
    settings.publicURL = publicURL
    settings.dialogMode = sheets
    return settings
  }

  func run() async throws {
    var logger = Logger(label: "gatehouse.simulator")
    logger.logLevel = .warning
    let simulator = Simulator(
      configuration: settings, server: Connections.local, logger: logger
    ) { url in
      Terminal.say("Simulator listens on \(url)")
    }
    try await ServiceGroup(
      services: [
        Listener(
          service: simulator.application, host: settings.host, port: port, flag: "--port")
      ], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger
    ).run()
  }
}

extension DialogMode: ExpressibleByArgument {}
