import ArgumentParser
import Foundation
import GatehouseServer
import Logging

/// Flags of the commands that connect to providers, under the same outbound rule as the server.
struct ProviderConnection: ParsableArguments {
  @OptionGroup var settings: SettingOptions

  /// Passes a connection to `body`.
  ///
  /// - Throws: ``ConfigurationFaults`` before anything is sent, and the errors of `body`.
  func withFederation<Value>(
    to database: OpenDatabase, _ body: (Federation) async throws -> Value
  ) async throws -> Value {
    let isDevelopment = try await database.isDevelopment
    let (baseURL, privateHosts, limits, authorities) = try settings.read(
      isDevelopment: isDevelopment
    ) {
      (
        $0.read(Settings.providerBaseURL), $0.read(Settings.privateHosts), $0.outboundLimits(),
        $0.read(Settings.privateAuthorities)
      )
    }
    let providers = try IdentityProviders(baseURL: baseURL)
    let outbound = OutboundClient(
      rule: OutboundRule(privateHosts: privateHosts, allowsLoopback: isDevelopment),
      limits: limits, authorities: authorities, clock: { Date() })
    var options = FederationOptions()
    options.allowsPlainHTTP = isDevelopment
    var logger = Logger(label: "gatehouse.providers")
    logger.logLevel = .critical
    let federation = Federation(
      providers: providers, outbound: outbound, options: options, logger: logger)
    return try await body(federation)
  }
}

extension OpenDatabase {
  /// Whether the database was created by `--dev`.
  var isDevelopment: Bool {
    get async throws {
      try await store.read { try $0.serverValue(Self.modeValue) }
        == Array(Mode.development.rawValue.utf8)
    }
  }
}
