import ArgumentParser
import Foundation

/// The flags of `serve`, which `config` and `doctor` take too: to be told what the server is told.
struct ServeOptions: ParsableArguments {
  @Flag(help: "Stand in for the Firebase Auth Emulator, with simulated providers. Loopback only.")
  var dev = false

  @Option(help: "Where to listen; 127.0.0.1 without it.")
  var host: String?

  @Option(help: "The port; 9099 without it, and 0 takes a free one.")
  var port: String?

  @Option(help: "The folder of the database; ./gatehouse-data without it.")
  var data: String?

  @Option(help: "Where clients reach the server: https://auth.example.com")
  var publicURL: String?

  @Option(help: "A file of mode 0600 with the master key.")
  var masterKeyFile: String?

  @Option(help: "The server's certificate and its issuers', PEM. Without it plain http.")
  var tlsCertificate: String?

  @Option(help: "The certificate's key, PEM.")
  var tlsKey: String?

  @Option(help: "--dev: the project that any API key names; demo without it.")
  var project: String?

  @Option(help: "--dev: the simulated providers' port; 9100 without it, 0 for none.")
  var simulatorPort: String?

  @Option(help: "The port of Prometheus metrics; 0 takes a free port. None without it.")
  var metricsPort: String?

  @Option(help: "Where metrics listen; 127.0.0.1 without it.")
  var metricsHost: String?

  @Option(help: "A JSON file with settings.")
  var config: String?

  @Option(name: .customLong("set"), help: "A setting, as key=value. May be repeated.")
  var assignments: [String] = []

  /// What the flags say, by setting key.
  private var flags: [String: String] {
    let given: [(String, String?)] = [
      ("host", host), ("port", port), ("data", data), ("publicURL", publicURL),
      ("masterKeyFile", masterKeyFile), ("project", project), ("simulatorPort", simulatorPort),
      ("metricsPort", metricsPort), ("metricsHost", metricsHost),
      ("tls.certificate", tlsCertificate), ("tls.key", tlsKey),
    ]
    return Dictionary(
      uniqueKeysWithValues: given.compactMap { key, value in value.map { (key, $0) } })
  }

  /// - Throws: ``ConfigurationFaults`` with every fault there is.
  func configuration() throws(ConfigurationFaults) -> ServerConfiguration {
    try ServerConfiguration(
      isDevelopment: dev, flags: flags, assignments: assignments,
      environment: ProcessInfo.processInfo.environment, file: config)
  }

  /// The values as they were given, and where.
  func sources() -> SettingSources {
    // What can't be understood is `configuration()`'s to tell.
    var faults: [String] = []
    return SettingSources(
      flags: flags, assignments: assignments, environment: ProcessInfo.processInfo.environment,
      file: config, faults: &faults)
  }
}
