import ArgumentParser
import Foundation
import GatehouseServer

/// The server's settings, for a command other than `serve`: with `--set`, from a file, or from the
/// environment.
struct SettingOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: "A setting, as key=value. May be repeated.")
  var assignments: [String] = []

  @Option(help: "A JSON file with settings.")
  var config: String?

  /// - Parameter body: Reads the settings that the command needs.
  /// - Throws: ``ConfigurationFaults`` with all faults.
  func read<Values>(
    isDevelopment: Bool = false, _ body: (inout SettingReader) -> Values
  ) throws -> Values {
    var faults: [String] = []
    let sources = SettingSources(
      flags: [:], assignments: assignments,
      environment: ProcessInfo.processInfo.environment, file: config, faults: &faults)
    var reader = SettingReader(sources, isDevelopment: isDevelopment, faults: faults)
    let values = body(&reader)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    return values
  }
}
