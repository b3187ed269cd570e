import Foundation
import GatehouseAPI
import GatehouseFederation
import GatehouseModel
import Logging

/// Everything that `serve` is told, checked.
struct ServerConfiguration: Sendable {
  var isDevelopment: Bool
  var host: String
  var port: Int
  var dataFolder: String
  /// Nil in `--dev`, where it is wherever the port turns out to be.
  var publicURL: String?
  var masterKey: MasterKeySource
  var metricsHost: String
  var metricsPort: Int?
  /// `--dev` only.
  var simulatorPort: Int?
  /// `--dev` only.
  var project: ProjectID
  var allowedHosts: [String]
  var providerBaseURLs: ProviderBaseURLs
  /// What Apple gave the operator to publish.
  var appleDomainAssociation: String?
  var privateHosts: [String]
  var outboundLimits: OutboundClient.Limits
  /// Trusted besides the machine's.
  var privateAuthorities: PrivateAuthorities
  var proxies: TrustedProxies
  var connections: ConnectionLimits
  /// Nil for plain http.
  var certificate: TLSCertificate?
  var logLevel: Logger.Level
  var passwordLogCost: Int
  var passwordThreads: Int
  var shutdownGraceSeconds: Int
  /// What the operator should know and what is no fault.
  var warnings: [String]

  var mode: OpenDatabase.Mode { isDevelopment ? .development : .production }

  /// - Throws: ``ConfigurationFaults`` with every fault there is, not the first.
  init(
    isDevelopment: Bool, flags: [String: String], assignments: [String],
    environment: [String: String], file: String?
  ) throws(ConfigurationFaults) {
    var faults: [String] = []
    let sources = SettingSources(
      flags: flags, assignments: assignments, environment: environment, file: file,
      faults: &faults)
    var reader = SettingReader(sources, faults: faults)
    self.isDevelopment = isDevelopment
    host = reader.text("host") ?? "127.0.0.1"
    port = reader.integer("port", in: 0...65535) ?? 9099
    dataFolder = reader.dataFolder()
    publicURL = reader.publicURL(isDevelopment: isDevelopment)
    masterKey = reader.masterKey()
    metricsHost = reader.text("metricsHost") ?? "127.0.0.1"
    metricsPort = reader.integer("metricsPort", in: 0...65535)
    let simulatorPort = reader.integer("simulatorPort", in: 0...65535) ?? 9100
    self.simulatorPort = isDevelopment && simulatorPort > 0 ? simulatorPort : nil
    let project = reader.project(otherwise: "demo")
    allowedHosts = reader.list("dev.allowedHosts")
    providerBaseURLs = reader.providerBaseURLs(isDevelopment: isDevelopment)
    appleDomainAssociation = reader.appleDomainAssociation()
    privateHosts = reader.list("outbound.privateHosts")
    outboundLimits = reader.outboundLimits()
    privateAuthorities = reader.privateAuthorities()
    proxies = reader.trustedProxies()
    connections = reader.connectionLimits()
    certificate = reader.certificate()
    logLevel = reader.logLevel()
    passwordLogCost =
      reader.integer("passwords.logCost", in: 10...20) ?? (isDevelopment ? 10 : 15)
    passwordThreads =
      reader.integer("passwords.threads", in: 1...64)
      ?? max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    shutdownGraceSeconds = reader.integer("shutdown.graceSeconds", in: 1...300) ?? 20
    if !isDevelopment && !masterKey.isGiven(dataFolder: dataFolder) {
      reader.fault("there is no master key. \(MasterKeySource.remedy)")
    }
    if isDevelopment && !LoopbackName.isLoopback(host) {
      reader.fault(
        "host \(host): --dev listens on loopback only (127.0.0.1, ::1 or localhost), because "
          + "anybody who reaches it is an administrator")
    }
    if port > 0 && port == metricsPort {
      reader.fault("port and metricsPort are both \(port): name another with --metrics-port")
    }
    warnings = Setting.unknownVariables(in: environment)
    // The public URL is https: without a certificate of the server's own, a proxy ends TLS.
    let hasProxy = LoopbackName.isLoopback(host) || certificate == nil
    if !isDevelopment, hasProxy, proxies.networks.isEmpty {
      warnings.append(
        "clients come through a proxy, because the server listens on \(host) "
          + (certificate == nil ? "without a certificate" : "alone")
          + ", and server.trustedProxies names no proxy: all clients share one rate limit. Set it "
          + "to the address from which the proxy connects")
    }
    guard let project, reader.faults.isEmpty else {
      throw ConfigurationFaults(faults: reader.faults)
    }
    self.project = project
  }
}

/// Every fault of a configuration at once.
struct ConfigurationFaults: Error, CustomStringConvertible {
  let faults: [String]

  var description: String {
    faults.count == 1
      ? faults[0]
      : "the configuration has \(faults.count) faults:\n"
        + faults.map { "  - \($0)" }.joined(separator: "\n")
  }
}
