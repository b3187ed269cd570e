import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseSimulator
import GatehouseTokens
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// The composition root: creates every part, passes each its dependencies, and runs them until a
/// signal.
struct Server {
  private let configuration: ServerConfiguration
  /// The settings as they were given, for administrators.
  private let settings: [ServerHost.Setting]
  private let logger: Logger

  private let logLevel: LogLevel
  private let readAgain: Reload.Reader

  /// - Parameter readAgain: Reads all settings again.
  init(
    _ configuration: ServerConfiguration, settings: [ServerHost.Setting],
    readAgain: @escaping Reload.Reader
  ) {
    self.configuration = configuration
    self.settings = settings
    self.readAgain = readAgain
    let level = LogLevel(configuration.logLevel)
    logLevel = level
    let repeated = RepeatedEntries()
    let format = configuration.logFormat
    LoggingSystem.bootstrap { label in
      let lines = LineLogHandler(format, level)
      return Self.unlimitedLogs.contains(label) ? lines : RepetitionLogHandler(lines, repeated)
    }
    logger = Logger(label: "gatehouse")
    for warning in configuration.warnings { logger.warning("\(warning)") }
    ProcessLimits.surviveFullFiles()
    // With --dev the server belongs to a terminal, and ends with it.
    if !configuration.isDevelopment { ProcessLimits.surviveHangUps() }
    ProcessLimits.useAllowedCores()
  }

  /// Entries that nobody makes without doing something that is stored or was asked to be logged.
  private static let unlimitedLogs: Set = [RequestLog.label, RecordedEvents.label]

  func run() async throws {
    let metrics = PrometheusFactory()
    MetricsSystem.bootstrap(metrics)
    let database = try await OpenDatabase.open(
      configuration.data, requiring: configuration.mode,
      // In production, only an operator creates a database: a mistyped folder, or a disk that isn't
      // mounted, must not become a new one.
      making: configuration.isDevelopment ? .development : nil, migrating: true)
    do {
      let events = RecordedEvents()
      let origin = EventOrigin(.server, clock: { Date() }, committed: events.log)
      let tracer = configuration.tracer(version: Version.current, logger: logger)
      try await EventOrigin.$current.withValue(origin) {
        try await Tracer.$current.withValue(tracer) { try await serve(database, metrics) }
      }
    } catch {
      await database.store.close()
      throw error
    }
  }

  private func serve(_ database: OpenDatabase, _ metrics: PrometheusFactory) async throws {
    let outbound = ObservedTransport(.provider, configuration.outbound())
    let webhooks = ObservedTransport(.webhook, configuration.webhookClient())
    let mailWebhooks = ObservedTransport(.mail, configuration.mailWebhookClient())
    let functions = ObservedTransport(.function, configuration.functionClient())
    let refreshed = RefreshedAccounts()
    let mailbox = configuration.isDevelopment ? try DevelopmentMailbox.make() : nil
    var services = try await makeServices(
      database, outbound: outbound, webhooks: webhooks, functions: functions, refreshed: refreshed)
    let connections = possibleConnections()
    services.watchers = watchers(connections)
    try await prepareProjects(services.projects, database)
    try await inviteFirst(services)
    let isShared = configuration.data.engine.isShared
    if !isShared {
      for other in try configuration.data.servers(now: Date()) {
        logger.notice(
          "another server runs on the same data folder; that works on one machine, not over a network",
          metadata: ["server": "\(other.name)"])
      }
    }
    let presence = try ServerPresence(
      at: configuration.data, masterKeys: database.masterKeys, store: database.store)
    let checkReadiness = services.checkReadiness
    services.checkReadiness = {
      try presence.clocks.check()
      try await checkReadiness()
    }
    try await presence.compareClocks(services.clock, logger)
    let masterKeys = MasterKeyWatch(
      database.masterKeys, file: configuration.data.keyFile, presence: presence)
    let housekeeping = Housekeeping(
      store: database.store, projects: services.projects, masterKeys: masterKeys,
      presence: presence,
      lease: isShared
        ? WorkLease(
          "housekeeping", holder: presence.id, seconds: Housekeeping.secondsBetweenSweeps * 1.5)
        : nil,
      keys: [services.idTokenKeys, services.sessionCookieKeys],
      counts: services.accounts.signInCounts, sendsMail: sendsMail,
      clock: services.clock, logger: logger)
    let federation = services.federation
    let mailer: (any Mailer)?
    if let mailbox {
      mailer = mailbox
      services.mails = mailbox.shown
    } else {
      mailer = try configuration.mail.map { try makeMailer($0, mailWebhooks) }
    }
    let eventLog = EventLogKeeping(
      store: database.store,
      checkpoints: try await services.eventCheckpoints(),
      lease: isShared
        ? WorkLease("event-log", holder: presence.id, seconds: EventLogKeeping.leaseSeconds) : nil,
      retentionDays: configuration.eventRetentionDays, clock: services.clock, logger: logger)
    let outbox = OutboxWorker(
      store: database.store, federation: federation, webhooks: webhooks,
      eventTokens: SecurityEventCodec(keys: services.idTokenKeys), mailer: mailer,
      leases: OutboxLeases(
        providerCallSeconds: configuration.outboundLimits.duration / .seconds(1),
        mailAttemptSeconds: TimeInterval(configuration.mail?.attemptSeconds ?? 0)),
      clock: services.clock, logger: logger)
    let checks = TokenChecker(
      store: database.store, federation: federation, refreshed: refreshed,
      perMinute: configuration.appleChecksPerMinute, clock: services.clock, logger: logger)
    Metric.buildInfo.gauge(("version", Version.current), ("commit", Version.commit ?? "unknown"))
      .record(1)
    // Dependencies first: a graceful shutdown stops the parts in the reverse order.
    var parts: [ServiceGroupConfiguration.ServiceConfiguration] = [
      part(Closing { await database.store.close() }),
      part(Closing { await presence.end() }),
      part(housekeeping),
      part(eventLog),
      part(TraceSending(tracer: Tracer.current)),
      part(Background { await federation.run() }),
      part(OutboxService(worker: outbox)),
      part(TokenCheckService(checker: checks)),
    ]
    if let port = configuration.simulatorPort {
      parts.append(
        part(
          Listener(
            service: makeSimulator(port).application, host: simulatorListener, port: port,
            flag: "--simulator-port")))
    }
    if let port = configuration.metricsPort {
      parts.append(
        part(
          Listener(
            service: makeMetrics(metrics, port), host: configuration.metricsHost, port: port,
            flag: Settings.metricsPort.flag)))
    }
    if !configuration.isDevelopment {
      parts.append(
        part(Reload(settings: settings, logLevel: logLevel, logger: logger, read: readAgain)))
    }
    if let certificate = configuration.certificate {
      parts.append(part(CertificateRenewal(certificate: certificate, logger: logger)))
    }
    parts.append(
      part(
        Listener(
          service: try makeApplication(services, connections), host: configuration.host,
          port: configuration.port,
          flag: Settings.port.flag)))
    parts.append(
      part(ShutdownLog(logger: logger, graceSeconds: configuration.shutdownGraceSeconds)))
    // The last part is shut down first: its streams would otherwise keep the listener from ending.
    parts.append(
      part(
        Watching(
          hub: services.watchers,
          feed: try await WatchFeed(
            services.watchers, EventFeed(store: database.store), services.accounts),
          clock: services.clock, logger: logger)))
    var group = ServiceGroupConfiguration(
      services: parts, gracefulShutdownSignals: [.sigterm, .sigint], logger: quietLogger)
    group.maximumGracefulShutdownDuration = .seconds(configuration.shutdownGraceSeconds)
    try await ServiceGroup(configuration: group).run()
    logger.info("server stopped")
  }

  /// Every part is essential: when one ends, the others are shut down.
  private func part(_ service: any Service) -> ServiceGroupConfiguration.ServiceConfiguration {
    ServiceGroupConfiguration.ServiceConfiguration(
      service: service, successTerminationBehavior: .gracefullyShutdownGroup,
      failureTerminationBehavior: .gracefullyShutdownGroup)
  }

  /// The log entries of libraries are of interest only if something goes wrong.
  private var quietLogger: Logger {
    var quiet = logger
    quiet.logLevel = max(.warning, configuration.logLevel)
    return quiet
  }

  // MARK: The parts

  /// With `--dev` the mailbox gets the emails.
  private var sendsMail: Bool { configuration.isDevelopment || configuration.mail != nil }

  private func makeServices(
    _ database: OpenDatabase, outbound: any OutboundTransport, webhooks: any OutboundTransport,
    functions: any OutboundTransport, refreshed: RefreshedAccounts
  ) async throws -> APIServices {
    let now = Date()
    // On a new database each of the two creates its first keys, which takes tenths of a second.
    async let cookieRing = TokenSigningKeys.open(
      .sessionCookies, store: database.store, forms: KeyForms(), now: now)
    let idTokenKeys = try await TokenSigningKeys.open(
      .idTokens, store: database.store, forms: KeyForms(), now: now)
    let cookieKeys = try await cookieRing
    var costs = ScryptHasher.Parameters.standard
    costs.logCost = configuration.passwordLogCost
    if configuration.isDevelopment { costs.parallelism = 1 }
    let accounts = AccountsService(
      store: database.store,
      sessions: SessionIssuer(
        idTokenKeys: idTokenKeys, cookieKeys: cookieKeys,
        refreshTokens: RefreshTokenCodec(database.masterKeys),
        seemsUnsigned: configuration.isDevelopment && configuration.unsignedTokens),
      pendingTokens: PendingTokenCodec(database.masterKeys),
      nonces: NonceCodec(database.masterKeys),
      browserSignIns: BrowserSignInCodec(database.masterKeys),
      passwords: ScryptHasher(
        costs, threads: configuration.passwordThreads,
        imported: ImportedPasswords(store: database.store, bcrypt: CryptBcrypt())),
      actionCodes: ActionCodeIssuer(
        display: configuration.isDevelopment ? TerminalDisplay() : nil,
        sendsMail: sendsMail, keepsLinks: configuration.isDevelopment),
      phoneCodes: phoneCodes(webhooks), refreshed: refreshed,
      blockingFunctions: blockingFunctions(functions, idTokenKeys),
      // In `--dev` all clients are on this machine.
      hashesPerClient: configuration.isDevelopment ? 64 : 16)
    let development =
      configuration.isDevelopment
      ? developmentProject.projects(defaultProject: configuration.project) : nil
    // One for the server: it remembers what it signed.
    let checkpoints = try await database.eventCheckpoints()
    let readiness = StoreReadiness(
      database.store, isShared: configuration.data.engine.isShared)
    var services = APIServices(
      accounts: accounts,
      projects: ProjectDirectory(
        store: database.store, development: development,
        settling: configuration.data.engine.isShared ? Housekeeping.settling : .zero),
      federation: try configuration.federation(outbound, logger: logger),
      idTokenKeys: idTokenKeys, sessionCookieKeys: cookieKeys,
      adminKeys: AdminKeys(store: database.store),
      serviceAccounts: ServiceAccounts(store: database.store),
      accessTokens: AccessTokens(store: database.store),
      hooks: HookDirectory(store: database.store), eventCheckpoints: { checkpoints },
      webhooks: webhooks, functions: functions,
      checkReadiness: { try await readiness.check(now: Date()) },
      clock: { Date() }, logger: logger)
    services.host = host
    return services
  }

  private func makeMailer(
    _ settings: MailSettings, _ webhooks: any OutboundTransport
  ) throws -> QueuedMailer {
    let transport: QueuedMailer.Transport
    switch settings.route {
    case .server(let server):
      let connections = SMTPTransport(to: server)
      transport = { message, _ in await connections.send(message.composed) }
    case .webhook(let webhook):
      let calls = WebhookMailTransport(to: webhook, by: webhooks, clock: { Date() })
      transport = { await calls.send($0, $1) }
    }
    return QueuedMailer(
      sendsToAppleRelay: settings.isKnownToAppleRelay,
      writer: MailWriter(
        from: settings.from, replyTo: settings.replyTo, templates: try MailTemplates()),
      transport: transport, clock: { Date() }, logger: logger)
  }

  private func phoneCodes(_ webhooks: any OutboundTransport) -> PhoneCodeIssuer {
    let sender = CodeWebhookSender(transport: webhooks, clock: { Date() })
    let isDevelopment = configuration.isDevelopment
    let delivery =
      isDevelopment
      ? WebhookCodeDelivery(sender: sender, logger: logger, show: { $0.show() })
      : WebhookCodeDelivery(sender: sender, logger: logger)
    return PhoneCodeIssuer(delivery: delivery, keepsCodes: isDevelopment)
  }

  private func blockingFunctions(
    _ client: any OutboundTransport, _ keys: TokenSigningKeys
  ) -> BlockingFunctionClient {
    let metrics = BlockingFunctionMetrics(
      outcomes: BlockingFunctionClient.Outcome.allCases.map(\.rawValue))
    return BlockingFunctionClient(
      transport: client, codec: BlockingFunctionCodec(keys: keys), logger: logger
    ) { metrics.count($0, $1.rawValue) }
  }

  /// What an administrator may ask of this machine.
  private var host: ServerHost {
    let (configuration, webhooks) = (configuration, configuration.mailWebhookClient())
    return ServerHost(
      version: Version.current, commit: Version.commit, settings: settings,
      examine: { await InstallationDoctorCommand.findings(configuration) },
      examineMail: {
        await MailExamination.findings($0, with: configuration.mail, by: webhooks)
      })
  }

  private var simulatorURL: String? { configuration.simulatorURL }

  private var developmentProject: DevelopmentProject {
    DevelopmentProject(simulatorURL: simulatorURL)
  }

  private var simulatorListener: String {
    configuration.exposesToNetwork ? configuration.host : "127.0.0.1"
  }

  private func makeSimulator(_ port: Int) -> Simulator {
    var settings = Simulator.Configuration()
    settings.host = simulatorListener
    settings.port = port
    settings.publicURL = configuration.exposesToNetwork ? simulatorURL : nil
    settings.allowedHosts = configuration.allowedHosts
    return Simulator(configuration: settings, server: Connections.local, logger: quietLogger) {
      url in
      Terminal.say("Simulator listens on \(url)")
    }
  }

  private func makeMetrics(_ factory: PrometheusFactory, _ port: Int) -> some Service {
    let host = configuration.metricsHost
    return Application(
      responder: MetricsResponder(factory: factory),
      server: Connections.local,
      configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        let bound = channel.localAddress?.port ?? port
        Terminal.say("Metrics on http://\(host):\(bound)/metrics")
      },
      logger: quietLogger)
  }

  private func makeApplication(
    _ services: APIServices, _ limits: ConnectionLimits
  ) throws -> some Service {
    let networkToken = networkToken
    let mode: APIConfiguration.Mode =
      configuration.isDevelopment
      ? .development(
        APIConfiguration.Development(
          defaultProject: configuration.project, allowedHosts: configuration.allowedHosts,
          simulatorURL: simulatorURL, networkToken: networkToken))
      : .production
    let host = configuration.host
    // Nobody can connect to the address that stands for all.
    let isEverywhere = ["0.0.0.0", "::"].contains(host)
    let name = isEverywhere ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    let scheme = configuration.certificate == nil ? "http" : "https"
    let ownURL = OwnURL("\(scheme)://\(name):\(configuration.port)")
    var settings = APIConfiguration(
      mode: mode, publicURL: configuration.publicURL ?? ownURL.text)
    settings.proxies = configuration.proxies
    settings.clientAddresses = configuration.clientAddresses
    settings.logsRequests = configuration.logsRequests
    settings.appleDomainAssociation = configuration.appleDomainAssociation
    settings.hasConsole = configuration.hasConsole
    settings.links = configuration.links
    settings.limits.bodySeconds = configuration.connections.requestSeconds
    let api = try GatehouseAPI(services, settings)
    let connections = Connections(
      limits: limits, proxies: configuration.proxies, certificate: configuration.certificate)
    let isDevelopment = configuration.isDevelopment
    return Application(
      responder: api.responder,
      server: connections.server,
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: configuration.port), serverName: nil,
        availableConnectionsDelegate: connections.admission),
      onServerRunning: { channel in
        ownURL.set("\(scheme)://\(name):\(channel.localAddress?.port ?? 0)")
        Terminal.say("Gatehouse listens on \(ownURL.text)")
        var metadata: Logger.Metadata = [
          "version": "\(Version.current)", "commit": "\(Version.commit ?? "unknown")",
          "mode": "\(isDevelopment ? "dev" : "production")", "url": "\(ownURL.text)",
        ]
        // Not their values: an address may contain a password.
        let given = self.settings.filter { $0.origin != "default" }.map(\.key)
        if !given.isEmpty { metadata["settings"] = "\(given.joined(separator: " "))" }
        logger.info("server started", metadata: metadata)
        if isDevelopment { Terminal.say("Open \(ownURL.text)/ in a browser to try it.") }
        if let networkToken { sayHowToReach(networkToken, port: channel.localAddress?.port ?? 0) }
        Supervisor(environment: ProcessInfo.processInfo.environment).ready()
      },
      // Entries about requests have the configured level: see `ObservationMiddleware`.
      logger: quietLogger)
  }

  /// The administrator's token of callers on other machines; nil if they can't connect.
  private var networkToken: Secret<String>? {
    guard configuration.exposesToNetwork else { return nil }
    return configuration.networkToken ?? Secret("dev_\(UUID())")
  }

  private func sayHowToReach(_ token: Secret<String>, port: Int) {
    logger.warning(
      "other machines can connect: they sign in as anyone, and see the simulator's people")
    if configuration.networkToken == nil {
      Terminal.say("From other machines, the administrator's token is \(token.reveal())")
    }
    if configuration.publicURL == nil {
      let urls = LocalAddresses.all().map { "http://\($0):\(port)" }
      Terminal.say(
        "For browser sign-ins and links from other machines, add --public-url with a URL that they reach"
          + (urls.isEmpty ? "" : ", such as \(urls.joined(separator: " or "))"))
    }
  }

  /// The limits of connections, as far as the system allows them.
  private func possibleConnections() -> ConnectionLimits {
    var limits = configuration.connections
    let possible = ProcessLimits.admit(connections: limits.connections)
    if possible < limits.connections {
      logger.warning(
        "the system allows fewer open files than server.connections needs; raise `ulimit -n`",
        metadata: ["wanted": "\(limits.connections)", "possible": "\(possible)"])
      limits.connections = possible
    }
    return limits
  }

  private func watchers(_ connections: ConnectionLimits) -> WatchHub {
    var limits = configuration.watching
    limits.watchers = min(limits.watchers, WatchLimits.most(of: connections.connections))
    return WatchHub(limits: limits)
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
    if known.allSatisfy(\.id.isConsole) {
      logger.notice(
        "there is no project yet: create one with `gatehouse projects create ID`",
        metadata: ["database": "\(configuration.data.name)"])
    }
    for project in known where !isIssuerHere(project) {
      logger.warning(
        "a project's issuer doesn't belong to the public URL: verifiers won't find its keys",
        metadata: ["project": "\(project.id)", "issuer": "\(project.issuer)"])
    }
  }

  /// Shows a person at a terminal a link for the first user of the console, until somebody has accepted one. A log
  /// must not have it: whoever reads the link can be the owner.
  private func inviteFirst(_ services: APIServices) async throws {
    guard !configuration.isDevelopment, configuration.hasConsole,
      let publicURL = configuration.publicURL
    else { return }
    let users = ConsoleUsers(services: services, publicURL: publicURL)
    guard Terminal.isInteractive else {
      if try await users.awaitFirst {
        logger.notice(
          "nobody uses the console yet: `gatehouse console invite NAME --role owner` prints a link for its first user"
        )
      }
      return
    }
    guard let url = try await users.firstInvitation(now: services.clock()) else { return }
    Terminal.say(
      "Nobody uses the console yet. To be its owner, open this link. It can be used once, within three days:"
    )
    Terminal.say(url)
  }

  private func isIssuerHere(_ project: Project) -> Bool {
    project.issuer.hasSameBytes(as: "\(configuration.publicURL ?? "")/\(project.id)")
  }
}
