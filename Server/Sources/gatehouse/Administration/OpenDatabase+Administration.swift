import Foundation
import GatehouseProtocol
import GatehouseServer
import Logging

extension LocalAdministration: AdministrationTransport {
  func send(
    _ method: String, _ target: String, body: [UInt8]
  ) async throws -> (status: Int, body: [UInt8]) {
    await respond(to: method, target, body: body)
  }
}

extension OpenDatabase {
  /// The administrators' API on this database. It reads the settings that a server has in its environment, as far as
  /// handlers need them.
  ///
  /// - Parameter publicURL: The server's. Nil: from the environment, or that with which the issuers begin.
  func administration(publicURL: String?) async throws -> LocalAdministration {
    let isDevelopment = try await isDevelopment
    var reader = SettingReader(
      flags: [Settings.publicURL.key: publicURL], isDevelopment: isDevelopment)
    let named = reader.read(Settings.publicURL)
    var baseURL = reader.read(Settings.providerBaseURL)
    // A server of this database asks its simulator, not the providers.
    if isDevelopment, baseURL == nil { baseURL = try await simulatorURL }
    let hosts = reader.read(Settings.privateHosts)
    let authorities = reader.read(Settings.privateAuthorities)
    let limits = reader.outboundLimits()
    let functionSeconds = reader.read(Settings.functionSeconds)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    var logger = Logger(label: "gatehouse")
    logger.logLevel = .error
    let outbound = OutboundClient(
      rule: OutboundRule(privateHosts: hosts, allowsLoopback: isDevelopment), limits: limits,
      authorities: authorities, clock: { Date() })
    var options = FederationOptions()
    options.allowsPlainHTTP = isDevelopment
    let (idTokenKeys, cookieKeys) = try await signingKeys()
    let services = APIServices(
      accounts: accounts(idTokenKeys, cookieKeys),
      projects: ProjectDirectory(store: store),
      federation: Federation(
        providers: try IdentityProviders(baseURL: baseURL), outbound: outbound, options: options,
        logger: logger),
      idTokenKeys: idTokenKeys, sessionCookieKeys: cookieKeys, adminKeys: AdminKeys(store: store),
      serviceAccounts: ServiceAccounts(store: store), accessTokens: AccessTokens(store: store),
      hooks: HookDirectory(store: store), eventCheckpoints: { try await eventCheckpoints() },
      webhooks: OutboundClient(
        webhooksTo: hosts, authorities: authorities, clock: { Date() }),
      functions: OutboundClient(
        functionsOn: hosts, authorities: authorities, seconds: functionSeconds,
        clock: { Date() }),
      checkReadiness: {}, clock: { Date() }, logger: logger)
    var known = named
    if known == nil {
      known = try await store.read { try $0.projects() }.lazy.compactMap(\.publicURL).first
    }
    let url = known ?? Settings.developmentURL
    var mode = APIConfiguration.Mode.production
    if isDevelopment, let project = try await store.read({ try $0.projects() }).first {
      mode = .development(APIConfiguration.Development(defaultProject: project.id))
    }
    var configuration = APIConfiguration(mode: mode, publicURL: url)
    configuration.isForOperator = true
    return try LocalAdministration(services, configuration)
  }

  /// The simulator's URL, by the provider of `--dev` that has an issuer there.
  private var simulatorURL: String? {
    get async throws {
      let issuer = try await store.read { transaction -> String? in
        guard let id = ProviderID(Settings.simulatorProvider) else { return nil }
        for project in try transaction.projects() {
          if let issuer = try transaction.provider(id, in: project.id)?.issuer { return issuer }
        }
        return nil
      }
      return issuer.flatMap { $0.hasSuffix("/oidc") ? String($0.dropLast(5)) : nil }
    }
  }

  /// Whether the database was created by `--dev`.
  private var isDevelopment: Bool {
    get async throws {
      try await store.read { try $0.serverValue(Self.modeValue) }
        == Array(Mode.development.rawValue.utf8)
    }
  }
}
