import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseOperation
import Logging

struct TestProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Make the requests of a sign-in to a provider, and report what is wrong.",
    discussion: """
      Fetches the discovery document and the keys, signs Apple's client secret, and sends Facebook \
      the app secret. The exit status is 0 if nothing is wrong. With a database of --dev, \
      connections to loopback are allowed. Name stand-ins with --set, as for serve.
      """)

  @Argument(help: "The provider, such as apple.com or oidc.example.")
  var id: String

  @Option(name: .customLong("set"), help: "A setting, as key=value. May be repeated.")
  var assignments: [String] = []

  @Option(help: "A JSON file with settings.")
  var config: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let provider = try await database.provider(id, of: project)
      let stamp = try await database.store.read { try $0.serverValue("mode") }
      let findings = try await diagnose(
        provider, isDevelopment: stamp == Array(OpenDatabase.Mode.development.rawValue.utf8))
      let report = DoctorReport(findings)
      for line in report.lines { Terminal.say(line) }
      if !report.isHealthy { throw ExitCode.failure }
    }
  }

  private func diagnose(
    _ provider: ProviderConfiguration, isDevelopment: Bool
  ) async throws -> [Finding] {
    var faults: [String] = []
    let sources = SettingSources(
      flags: [:], assignments: assignments,
      environment: ProcessInfo.processInfo.environment, file: config, faults: &faults)
    var reader = SettingReader(sources, isDevelopment: isDevelopment, faults: faults)
    let baseURLs = reader.providerBaseURLs()
    let privateHosts = reader.read(Settings.privateHosts)
    let limits = reader.outboundLimits()
    let authorities = reader.read(Settings.privateAuthorities)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    let providers = try IdentityProviders(baseURLs: baseURLs)
    let outbound = OutboundClient(
      rule: OutboundRule(privateHosts: privateHosts, allowsLoopback: isDevelopment),
      limits: limits, authorities: authorities, clock: { Date() })
    var options = FederationOptions()
    options.allowsPlainHTTP = isDevelopment
    var logger = Logger(label: "gatehouse.providers")
    logger.logLevel = .critical
    let federation = Federation(
      providers: providers, outbound: outbound, options: options, logger: logger)
    let findings = await federation.diagnose(provider, now: Date())
    await outbound.shutdown()
    return findings
  }
}
