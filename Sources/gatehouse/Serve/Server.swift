import Foundation
import GatehouseAPI
import GatehouseAccounts
import GatehouseBcrypt
import GatehouseFederation
import GatehouseModel
import GatehouseSimulator
import GatehouseTokens
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// The composition root: makes every part, hands each what it needs, and runs them until a signal.
struct Server {
  private let configuration: ServerConfiguration
  private let logger: Logger

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "gatehouse")
    logger.logLevel = configuration.logLevel
    self.logger = logger
  }

  func run() async throws {
    let metrics = PrometheusFactory()
    MetricsSystem.bootstrap(metrics)
    let database = try await OpenDatabase.open(
      configuration.dataFolder, masterKey: configuration.masterKey,
      mode: configuration.isDevelopment ? .development : .production)
    do {
      try await serve(database, metrics)
    } catch {
      await database.store.close()
      throw error
    }
  }

  private func serve(_ database: OpenDatabase, _ metrics: PrometheusFactory) async throws {
    let outbound = try makeOutbound()
    let services = try await makeServices(database, outbound: outbound)
    try await prepareProjects(services.projects, database)
    let housekeeping = Housekeeping(
      store: database.store, projects: services.projects,
      keys: [services.idTokenKeys, services.sessionCookieKeys],
      clock: services.clock, logger: logger)
    let federation = services.federation
    // Dependencies first: a graceful shutdown goes the other way.
    var parts: [ServiceGroupConfiguration.ServiceConfiguration] = [
      part(Closing { await database.store.close() }),
      part(Closing { await outbound.shutdown() }),
      part(housekeeping),
      part(Background { await federation.run() }),
    ]
    if let port = configuration.simulatorPort {
      parts.append(part(listener(makeSimulator(port).application, port, "--simulator-port")))
    }
    if let port = configuration.metricsPort {
      parts.append(part(listener(makeMetrics(metrics, port), port, "--metrics-port")))
    }
    parts.append(
      part(
        Listener(
          service: makeApplication(services), host: configuration.host, port: configuration.port,
          flag: "--port")))
    var group = ServiceGroupConfiguration(
      services: parts, gracefulShutdownSignals: [.sigterm, .sigint], logger: quietLogger)
    group.maximumGracefulShutdownDuration = .seconds(configuration.shutdownGraceSeconds)
    try await ServiceGroup(configuration: group).run()
  }

  /// Every part is essential: when one ends, the others follow.
  private func part(_ service: any Service) -> ServiceGroupConfiguration.ServiceConfiguration {
    ServiceGroupConfiguration.ServiceConfiguration(
      service: service, successTerminationBehavior: .gracefullyShutdownGroup,
      failureTerminationBehavior: .gracefullyShutdownGroup)
  }

  /// A server beside the main one: on loopback.
  private func listener(_ service: any Service, _ port: Int, _ flag: String) -> Listener {
    Listener(service: service, host: "127.0.0.1", port: port, flag: flag)
  }

  /// Libraries' own news is of interest only where something goes wrong.
  private var quietLogger: Logger {
    var quiet = logger
    quiet.logLevel = max(.warning, configuration.logLevel)
    return quiet
  }

  // MARK: The parts

  private func makeServices(
    _ database: OpenDatabase, outbound: OutboundClient
  ) async throws -> APIServices {
    let now = Date()
    // On a new database each makes its first key, which takes tenths of a second.
    async let cookieRing = SigningKeys.open(
      .sessionCookies, store: database.store, forms: KeyForms(), now: now)
    let idTokenKeys = try await SigningKeys.open(
      .idTokens, store: database.store, forms: KeyForms(), now: now)
    let cookieKeys = try await cookieRing
    var costs = ScryptHasher.Parameters.standard
    costs.logCost = configuration.passwordLogCost
    if configuration.isDevelopment { costs.parallelism = 1 }
    let accounts = AccountsService(
      store: database.store,
      sessions: SessionIssuer(
        idTokenKeys: idTokenKeys, cookieKeys: cookieKeys,
        refreshTokens: RefreshTokenCodec(database.masterKey)),
      pendingTokens: PendingTokenCodec(database.masterKey),
      nonces: NonceCodec(database.masterKey),
      passwords: ScryptHasher(
        costs, threads: configuration.passwordThreads,
        imported: ImportedPasswords(store: database.store, bcrypt: CryptBcrypt())),
      actionCodes: ActionCodeIssuer(
        delivery: configuration.isDevelopment ? TerminalDelivery() : nil,
        keepsLinks: configuration.isDevelopment),
      // In `--dev` everybody is on this machine.
      hashesPerClient: configuration.isDevelopment ? 64 : 16)
    let development =
      configuration.isDevelopment
      ? developmentProject.projects(defaultProject: configuration.project) : nil
    return APIServices(
      accounts: accounts,
      projects: ProjectDirectory(store: database.store, development: development),
      federation: try makeFederation(outbound), idTokenKeys: idTokenKeys,
      sessionCookieKeys: cookieKeys,
      adminKeys: AdminKeys(store: database.store),
      serviceAccounts: ServiceAccounts(store: database.store),
      accessTokens: AccessTokens(store: database.store),
      checkStore: { _ = try await database.store.changeCounter() },
      clock: { Date() }, logger: logger)
  }

  private var simulatorURL: String? {
    configuration.simulatorPort.map { "http://127.0.0.1:\($0)" }
  }

  private var developmentProject: DevelopmentProject {
    DevelopmentProject(simulatorURL: simulatorURL)
  }

  private func makeOutbound() throws -> OutboundClient {
    OutboundClient(
      rule: OutboundRule(
        privateHosts: configuration.privateHosts, allowsLoopback: configuration.isDevelopment))
  }

  private func makeFederation(_ outbound: OutboundClient) throws -> Federation {
    var baseURLs = configuration.providerBaseURLs
    if let simulatorURL { baseURLs.fill(fromSimulator: simulatorURL) }
    let endpoints = try BuiltInEndpoints(baseURLs)
    var options = FederationOptions()
    options.allowsPlainHTTP = configuration.isDevelopment
    return Federation(
      endpoints: endpoints, outbound: outbound, options: options, logger: logger)
  }

  private func makeSimulator(_ port: Int) -> Simulator {
    var settings = Simulator.Configuration()
    settings.port = port
    settings.allowedHosts = configuration.allowedHosts
    return Simulator(configuration: settings, logger: quietLogger) { url in
      Terminal.say("Simulator listens on \(url)")
    }
  }

  private func makeMetrics(_ factory: PrometheusFactory, _ port: Int) -> some Service {
    Application(
      responder: MetricsResponder(factory: factory),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let bound = channel.localAddress?.port ?? port
        Terminal.say("Metrics on http://127.0.0.1:\(bound)/metrics")
      },
      logger: quietLogger)
  }

  private func makeApplication(_ services: APIServices) -> some Service {
    let mode: APIConfiguration.Mode =
      configuration.isDevelopment
      ? .development(
        APIConfiguration.Development(
          defaultProject: configuration.project, allowedHosts: configuration.allowedHosts))
      : .production
    let host = configuration.host
    let name = host.contains(":") ? "[\(host)]" : host
    let ownURL = OwnURL("http://\(name):\(configuration.port)")
    var settings = APIConfiguration(
      mode: mode, publicURL: configuration.publicURL ?? ownURL.text)
    settings.proxies = configuration.proxies
    let api = GatehouseAPI(services, settings)
    return Application(
      responder: api.responder,
      // Longer than a proxy in front keeps a connection open.
      server: .http1(configuration: .init(idleTimeout: .seconds(120))),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: configuration.port), serverName: nil),
      onServerRunning: { channel in
        ownURL.set("http://\(name):\(channel.localAddress?.port ?? 0)")
        Terminal.say("Gatehouse listens on \(ownURL.text)")
      },
      // The requests' own: the access log is at debug.
      logger: logger)
  }

  // MARK: Projects

  private func prepareProjects(
    _ projects: ProjectDirectory, _ database: OpenDatabase
  ) async throws {
    if configuration.isDevelopment {
      return try await developmentProject.prepare(
        projects, defaultProject: configuration.project)
    }
    let known = try await database.store.read { try $0.projects() }
    if known.isEmpty {
      throw CommandFailure(
        "there is no project in \(configuration.dataFolder) yet. Make one with `gatehouse projects "
          + "create my-app --public-url \(configuration.publicURL ?? "URL") "
          + "--data \(configuration.dataFolder)`")
    }
    for project in known where !isIssuerHere(project) {
      logger.warning(
        "a project's issuer doesn't begin with the public URL: verifiers won't find its keys",
        metadata: ["project": "\(project.id)", "issuer": "\(project.issuer)"])
    }
  }

  private func isIssuerHere(_ project: Project) -> Bool {
    project.issuer.hasSameBytes(as: "\(configuration.publicURL ?? "")/\(project.id)")
  }
}
