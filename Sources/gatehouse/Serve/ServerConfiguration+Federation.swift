import Foundation
import GatehouseFederation
import Logging

extension ServerConfiguration {
  /// What connects to providers, under the outbound rule. To be shut down.
  func outbound() -> OutboundClient {
    OutboundClient(
      rule: OutboundRule(privateHosts: privateHosts, allowsLoopback: isDevelopment),
      limits: outboundLimits, authorities: privateAuthorities, clock: { Date() })
  }

  /// What calls projects' webhooks. To be shut down.
  func webhookClient() -> OutboundClient {
    OutboundClient(
      webhooksTo: privateHosts, authorities: privateAuthorities, clock: { Date() })
  }

  /// Where the simulator beside the server is; nil without one.
  var simulatorURL: String? { simulatorPort.map { Settings.simulatorURL(port: $0) } }

  /// - Throws: `MalformedBaseURL` naming the setting.
  func federation(
    _ outbound: any OutboundTransport, logger: Logger
  ) throws -> Federation {
    var baseURLs = providerBaseURLs
    if let simulatorURL { baseURLs.fill(fromSimulator: simulatorURL) }
    let providers = try IdentityProviders(baseURLs: baseURLs)
    var options = FederationOptions()
    options.allowsPlainHTTP = isDevelopment
    return Federation(providers: providers, outbound: outbound, options: options, logger: logger)
  }
}
