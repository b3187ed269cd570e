import ArgumentParser
import Foundation

/// The flags of `serve`. `config` and `doctor` take them too, to check the same settings.
struct ServeOptions: ParsableArguments {
  @Flag(help: "Replace the Firebase Auth Emulator, with simulated providers.")
  var dev = false

  @Flag(
    help: ArgumentHelp(
      "\(Settings.exposesToNetwork.meaning). Also \(Settings.exposesToNetwork.environmentName)=true."
    )
  )
  var exposeToNetwork = false

  @Option(help: Settings.host.help)
  var host: String?

  @Option(help: Settings.port.help)
  var port: String?

  @Option(help: Settings.data.help)
  var data: String?

  @Option(help: Settings.database.help)
  var database: String?

  @Option(help: Settings.publicURL.help)
  var publicURL: String?

  @Option(help: Settings.masterKeyFile.help)
  var masterKeyFile: String?

  @Option(help: Settings.tlsCertificate.help)
  var tlsCertificate: String?

  @Option(help: Settings.tlsKey.help)
  var tlsKey: String?

  @Option(help: Settings.project.help)
  var project: String?

  @Option(help: Settings.simulatorPort.help)
  var simulatorPort: String?

  @Option(help: Settings.metricsPort.help)
  var metricsPort: String?

  @Option(help: Settings.metricsHost.help)
  var metricsHost: String?

  @Option(help: "A JSON file with settings.")
  var config: String?

  @Option(name: .customLong("set"), help: "A setting, as key=value. May be repeated.")
  var assignments: [String] = []

  /// The values of the flags by setting key.
  private var flags: [String: String] {
    let given: [(any DescribedSetting, String?)] = [
      (Settings.exposesToNetwork, exposeToNetwork ? "true" : nil),
      (Settings.host, host), (Settings.port, port), (Settings.data, data),
      (Settings.database, database),
      (Settings.publicURL, publicURL), (Settings.masterKeyFile, masterKeyFile),
      (Settings.project, project), (Settings.simulatorPort, simulatorPort),
      (Settings.metricsPort, metricsPort), (Settings.metricsHost, metricsHost),
      (Settings.tlsCertificate, tlsCertificate), (Settings.tlsKey, tlsKey),
    ]
    return Dictionary(
      uniqueKeysWithValues: given.compactMap { setting, value in value.map { (setting.key, $0) } })
  }

  /// - Throws: ``ConfigurationFaults`` with every fault.
  func configuration(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ConfigurationFaults) -> ServerConfiguration {
    try ServerConfiguration(
      isDevelopment: dev, flags: flags, assignments: assignments, environment: environment,
      file: config)
  }

  /// The values as they were given, and where they were given.
  func sources(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> SettingSources {
    // `configuration()` reports the faults.
    var faults: [String] = []
    return SettingSources(
      flags: flags, assignments: assignments, environment: environment, file: config,
      faults: &faults)
  }
}
