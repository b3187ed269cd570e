import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging

/// The settings of `serve`, after they were checked.
struct ServerConfiguration: Sendable {
  var isDevelopment: Bool
  var host: String
  var port: Int
  var data: DataPlace
  /// Never nil in production. Nil in `--dev` if it isn't given: it is then known when the port is
  /// bound.
  var publicURL: String?
  var metricsHost: String
  var metricsPort: Int?
  /// `--dev` only.
  var simulatorPort: Int?
  /// `--dev` only.
  var project: ProjectID
  var allowedHosts: [String]
  /// Only with `--dev`: whether other machines can connect.
  var exposesToNetwork: Bool
  /// Nil if the server makes one.
  var networkToken: Secret<String>?
  /// Only with `--dev`.
  var unsignedTokens: Bool
  var providerBaseURL: String?
  var hasConsole: Bool
  var links: [PageLink]
  /// The text that Apple gave the operator to publish.
  var appleDomainAssociation: String?
  var appleChecksPerMinute: Int
  var privateHosts: [String]
  var outboundLimits: OutboundClient.Limits
  var functionSeconds: Int
  /// Trusted in addition to the machine's authorities.
  var privateAuthorities: PrivateAuthorities
  /// Nil if the server sends no mail.
  var mail: MailSettings?
  var proxies: TrustedProxies
  var connections: ConnectionLimits
  /// Nil for plain http.
  var certificate: TLSCertificate?
  var logLevel: Logger.Level
  var logFormat: LogFormat
  var logsRequests: Bool
  /// Nil if there are no traces.
  var tracesEndpoint: OutboundURL?
  var tracesPercent: Int
  var clientAddresses: ClientAddressForm
  var eventRetentionDays: Int
  var watching: WatchLimits
  var passwordLogCost: Int
  var passwordThreads: Int
  var shutdownGraceSeconds: Int
  /// What the operator should know although it is not a fault.
  var warnings: [String]

  var mode: OpenDatabase.Mode { isDevelopment ? .development : .production }

  /// - Throws: ``ConfigurationFaults`` with every fault, not only the first.
  init(
    isDevelopment: Bool, flags: [String: String], assignments: [String],
    environment: [String: String], file: String?
  ) throws(ConfigurationFaults) {
    var faults: [String] = []
    let sources = SettingSources(
      flags: flags, assignments: assignments, environment: environment, file: file,
      faults: &faults)
    var reader = SettingReader(sources, isDevelopment: isDevelopment, faults: faults)
    self.isDevelopment = isDevelopment
    exposesToNetwork = reader.read(Settings.exposesToNetwork)
    networkToken = reader.read(Settings.networkToken)
    let isHostGiven = reader.isGiven(Settings.host)
    host = exposesToNetwork && !isHostGiven ? "0.0.0.0" : reader.read(Settings.host)
    port = reader.read(Settings.port)
    data = reader.dataPlace()
    publicURL = isDevelopment ? reader.read(Settings.publicURL) : reader.requiredPublicURL()
    metricsHost = reader.read(Settings.metricsHost)
    metricsPort = reader.read(Settings.metricsPort)
    let simulatorPort = reader.read(Settings.simulatorPort)
    self.simulatorPort = isDevelopment && simulatorPort > 0 ? simulatorPort : nil
    let project = reader.read(Settings.project)
    allowedHosts = reader.read(Settings.allowedHosts)
    unsignedTokens = reader.read(Settings.unsignedTokens)
    providerBaseURL = reader.read(Settings.providerBaseURL)
    hasConsole = reader.read(Settings.console)
    links = reader.read(Settings.links)
    appleDomainAssociation = reader.read(Settings.appleDomainAssociation)
    appleChecksPerMinute = reader.read(Settings.appleChecksPerMinute)
    privateHosts = reader.read(Settings.privateHosts)
    outboundLimits = reader.outboundLimits()
    functionSeconds = reader.read(Settings.functionSeconds)
    privateAuthorities = reader.read(Settings.privateAuthorities)
    mail = reader.mail(publicURL: publicURL)
    proxies = reader.trustedProxies()
    connections = reader.connectionLimits()
    certificate = reader.certificate()
    logLevel = reader.read(Settings.logLevel)
    logFormat = reader.read(Settings.logFormat)
    logsRequests = reader.read(Settings.logsRequests)
    tracesEndpoint = reader.read(Settings.tracesEndpoint)
    tracesPercent = reader.read(Settings.tracesPercent)
    clientAddresses = reader.read(Settings.clientAddresses)
    eventRetentionDays = reader.read(Settings.eventRetentionDays)
    watching = reader.watchLimits(connections: connections.connections)
    passwordLogCost = reader.read(Settings.passwordLogCost)
    passwordThreads = reader.read(Settings.passwordThreads)
    shutdownGraceSeconds = reader.read(Settings.shutdownGraceSeconds)
    if !isDevelopment && !data.masterKey.isGiven(dataFolder: data.folder) {
      reader.fault(data.missingKey)
    }
    if isDevelopment && !exposesToNetwork && !LoopbackName.isLoopback(host) {
      reader.fault(
        "host \(host): --dev listens on loopback only (127.0.0.1, ::1 or localhost), because "
          + "anyone who can connect to it reads mails and signs in as anyone. If only machines that you trust can "
          + "connect, add --expose-to-network")
    }
    if exposesToNetwork && !isDevelopment {
      reader.fault(
        "\(Settings.exposesToNetwork.key) is only for --dev: a production server has \(Settings.host.key)"
      )
    }
    if unsignedTokens && !isDevelopment {
      reader.fault(
        "\(Settings.unsignedTokens.key) is only for --dev: back ends would take anyone for any user"
      )
    }
    if port > 0 && port == metricsPort {
      reader.fault(
        "\(Settings.port.key) and \(Settings.metricsPort.key) are both \(port): choose another "
          + "with \(Settings.metricsPort.flag)")
    }
    warnings = Settings.unknownVariables(in: environment)
    warnings += data.engine.warnings(isFlag: flags[Settings.database.key] != nil)
    if unsignedTokens {
      warnings.append(
        "\(Settings.unsignedTokens.key): ID tokens and session cookies seem unsigned. A back end that "
          + "accepts them accepts what anyone writes: only for tests with Google's Admin SDK for Node.js"
      )
    }
    if !isDevelopment, providerBaseURL != nil {
      warnings.append(
        "\(Settings.providerBaseURL.key): who runs this server's stand-in for the providers signs in as "
          + "anyone. It is for tests")
    }
    if let mail, !mail.isKnownToAppleRelay, !isDevelopment {
      warnings.append(
        "users who hide their address behind Apple's private relay get no email: register the sender "
          + "\(mail.from.address) with Apple, then set \(Settings.mailAppleRelay.key) to registered"
      )
    }
    if isDevelopment, mail != nil {
      warnings.append(
        "the settings mail.… are ignored: --dev keeps emails in its mailbox and sends none")
    }
    // The public URL is https: if the server has no certificate, a proxy terminates TLS.
    let hasProxy = LoopbackName.isLoopback(host) || certificate == nil
    if !isDevelopment, hasProxy, proxies.networks.isEmpty {
      warnings.append(
        "clients come through a proxy, because the server listens on \(host) "
          + (certificate == nil ? "without a certificate" : "only")
          + ", and \(Settings.trustedProxies.key) names no proxy: all clients share one rate "
          + "limit. Set it to the address from which the proxy connects")
    }
    guard let project, reader.faults.isEmpty else {
      throw ConfigurationFaults(faults: reader.faults)
    }
    self.project = project
  }
}
